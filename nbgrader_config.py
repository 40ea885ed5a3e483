from grader import nbgrader_plugins

nbgrader_plugins.configure(get_config(), __file__)  # noqa: F821  nbgrader defines get_config
