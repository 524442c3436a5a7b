"""Reports: a triaged finding written up for developers: report, checklist and regression test."""
