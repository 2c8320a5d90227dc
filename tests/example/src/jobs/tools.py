"""Tools by which an agent handles jobs."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("jobs")


@mcp.tool()
def start_job(name: str) -> str:
    """Start a job. Its outcome is read with one call of job_outcome after it has ended."""
    if not name:
        raise ValueError("Too many jobs run already. Try again later.")
    return f"Job {name} is queued. You may end your turn; you will be notified when it is done."
