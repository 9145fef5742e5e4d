"""A blog whose feed has whole posts."""

project = author = "Sizes"
extensions = ["ablog", "sphinx_llmsize"]
html_theme = "alabaster"
html_sidebars = {"**": []}
blog_baseurl = "https://blog.example"
blog_title = "Sizes"
blog_feed_fulltext = True
blog_post_pattern = "posts/*"
exclude_patterns = ["_build"]
