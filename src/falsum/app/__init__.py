"""The command line and the reports. Only this room parses options, prints and exits."""
