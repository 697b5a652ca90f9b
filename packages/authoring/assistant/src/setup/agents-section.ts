import { digestOf } from '@vid/system'

const BEGIN = /<!-- vid, sha256 ([0-9a-f]{64}) -->\r?\n/
const END = '<!-- end of vid -->'

/** What an assistant reads about vid before it works in a project. */
const sectionOf = (skills: string): string =>
  `## Videos

The compositions of this project (\`index.html\` files with \`data-composition-id\`) are rendered by vid. Before you write or change one, read \`${skills}/vid/SKILL.md\`. Use the tools of the MCP server \`vid\`, or the same commands as \`npx vid\`: \`timeline\`, \`edit\`, \`check\`, \`diff\`, \`render\`. A person may have written comments in the preview: the tool \`preview\` (\`npx vid comments list\`) reads them.
`

const marked = (section: string, eol: string): string =>
  `<!-- vid, sha256 ${digestOf(section)} -->\n${section}${END}`.replaceAll('\n', eol)

/** What becomes of a page of instructions: the text with the section of vid, or why it stays as it is. */
export type SectionChange =
  | { readonly kind: 'change'; readonly text: string }
  | { readonly kind: 'keep'; readonly reason: string }

/** Adds the section of vid to the instructions of a project, or renews one that nobody has changed. */
export const withSection = (text: string, skills: string): SectionChange => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const section = sectionOf(skills)
  const begin = BEGIN.exec(text)
  if (!begin) {
    const gap = text === '' || text.endsWith(eol + eol) ? '' : text.endsWith(eol) ? eol : eol + eol
    return { kind: 'change', text: `${text}${gap}${marked(section, eol)}${eol}` }
  }
  const start = begin.index + begin[0].length
  const end = text.indexOf(END, start)
  const current = text.slice(start, Math.max(start, end)).replaceAll('\r\n', '\n')
  if (end < 0 || digestOf(current) !== begin[1])
    return { kind: 'keep', reason: 'a person has changed its section about vid' }
  return {
    kind: 'change',
    text: `${text.slice(0, begin.index)}${marked(section, eol)}${text.slice(end + END.length)}`,
  }
}
