import { rawElements } from '../source/markup.ts'

/** Original location of a script: its file and the 1-based line of its first character. */
export interface ScriptPlace {
  readonly file: string
  readonly line: number
}

/** Globals that the scope of an instance replaces. */
const NAMES =
  'document,window,window:self,window:globalThis,gsap,__timelines,__vid,anime,lottie,bodymovin,d3,SplitText,Flip'

/** Keeps the original line numbers and file name in error reports. */
export const placeScript = (code: string, { file, line }: ScriptPlace, before = '', after = ''): string => {
  return `${before}${'\n'.repeat(line - 1)}${code}\n${after}//# sourceURL=${encodeURI(file)}\n`
}

/** Escapes the text of a script file for use inside a `<script>` element. */
export const embedScript = (code: string): string =>
  code.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--')

/** Wraps a classic script in a function in which `document` and other globals refer to one instance. */
export const scopeClassicScript = (code: string, place: ScriptPlace, instance: string): string =>
  placeScript(code, place, `(function({${NAMES}}){(function(){`, `}).call(window)})(__vid.__scope("${instance}"))\n`)

/** Defines the `document`, `window`, `__timelines` and `__vid` of an instance at the start of a module. */
export const scopeModule = (code: string, place: ScriptPlace, instance: string): string =>
  placeScript(code, place, `const {document,window,__timelines,__vid}=globalThis.__vid.__scope("${instance}");`)

const SOURCE_LINE = /^\n\/\/# sourceURL=(\S+)$/

const linesIn = (text: string) => text.split('\n').length - 1

/** Original location of a line of compiled text, if it is in a script; needed for scripts that do not parse. */
export const authoredPlace = (html: string, line: number): ScriptPlace | undefined => {
  let first = 1
  let done = 0
  for (const { index, startTag, content } of rawElements(html, 'script')) {
    const start = index + startTag.length
    first += linesIn(html.slice(done, start))
    done = start
    if (first > line) return undefined
    const code = content.trimEnd()
    const [, url] = SOURCE_LINE.exec(code.slice(Math.max(0, code.lastIndexOf('\n')))) ?? []
    if (url !== undefined && line <= first + linesIn(content)) return { file: decodeURI(url), line: line - first + 1 }
  }
  return undefined
}
