/** What the server tells an assistant about its tools when it connects. */
export const instructions = [
  'vid turns an HTML composition (index.html of a folder) into video. Paths start from the first root.',
  'Work in a loop: "timeline" shows what is in a composition; "check" finds what is wrong with it, and "lint" finds mistakes in its source without a browser; "edit" makes operations, all or none; "diff" shows which frames changed; "render" makes the video.',
  'A finding with "mend" carries operations for "edit" that mend it. Edits are written at once and can be undone with "edit_undo". While a person has the composition open in "vid preview", edits are staged there for them to write or drop. "check", "diff", "lint", "sheet", "snapshot" and "timeline" then look at what is staged, and say so; "state": "files" has them look at the files, as all other tools do. "diff" with the same folder twice compares the files with what is staged.',
  '"preview" shows what that person has selected, the time, what is staged, and the comments they have written; "comment_answer" answers one.',
  '"sheet" is the way to look at a composition.',
  'Answers are cut to "budget" characters (6000). Lists have "limit" items (20) from "offset" on: where "more" counts items, call again with another offset. "pictures" are shown (1).',
  'The resource vid://tools/NAME has the whole schemas of a tool: bounds of its arguments, options that its description only names, and all fields of its answer. The resource vid://codes/CODE is the page of a finding, such as vid://codes/lint/no-root.',
].join('\n')
