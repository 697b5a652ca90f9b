/** An element of a text of HTML whose content is no markup, such as a script or a style sheet. */
export interface RawElement {
  /** Place of its start tag in the text. */
  readonly index: number
  readonly startTag: string
  readonly content: string
}

/**
 * The elements of a name whose content is no markup, in order. Each character is read once, which no pattern for both tags
 * does: without an end tag it would look for one from each start tag.
 */
export function* rawElements(html: string, name: 'script' | 'style'): Generator<RawElement> {
  const starts = new RegExp(`<${name}\\b`, 'gi')
  const ends = new RegExp(`</${name}`, 'gi')
  for (let start = starts.exec(html); start; start = starts.exec(html)) {
    const inside = html.indexOf('>', starts.lastIndex) + 1
    if (inside === 0) return
    ends.lastIndex = inside
    const end = ends.exec(html)
    if (!end) return
    const { index } = start
    yield { index, startTag: html.slice(index, inside), content: html.slice(inside, end.index) }
    starts.lastIndex = ends.lastIndex
  }
}

/** A text with other contents of such elements. */
export const replaceRawElements = (
  html: string,
  name: 'script' | 'style',
  replace: (content: string, startTag: string) => string,
): string => {
  const parts: string[] = []
  let done = 0
  for (const { index, startTag, content } of rawElements(html, name)) {
    const start = index + startTag.length
    parts.push(html.slice(done, start), replace(content, startTag))
    done = start + content.length
  }
  return parts.join('') + html.slice(done)
}
