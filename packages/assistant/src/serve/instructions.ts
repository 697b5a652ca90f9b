/** What the server tells an assistant about its tools when it connects. */
export const instructions = [
  'vid turns an HTML composition (index.html of a folder) into video. Paths start from the first root.',
  'Work in a loop: "timeline" shows what is in a film; "check" finds what is wrong with it, and "lint" finds mistakes in its source without a browser; "edit" makes operations, all or none; "diff" shows which frames changed; "render" makes the video.',
  'A finding with "mend" carries operations for "edit" that mend it. Edits are written at once and can be undone with "edit_undo". While a person has the film open in "vid preview", edits are staged there for them to write or drop; the other tools read the files, so they see an edit once it is written.',
  '"preview" shows what that person has selected, the time, what is staged, and the comments they have written; "comment_answer" answers one.',
  'Answers are cut to a budget: where "more" counts items, call again with "offset". "sheet" is the way to look at a film.',
].join('\n')
