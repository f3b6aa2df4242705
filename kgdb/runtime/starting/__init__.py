"""Starting: bringing a server up, and explaining why it did not come up."""
