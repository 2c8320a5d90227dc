"""The context packer."""
