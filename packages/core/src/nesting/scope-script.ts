/** Where a script was written: its file, and the 1-based line of its first character. */
export interface ScriptPlace {
  readonly file: string
  readonly line: number
}

/** What an instance's scripts find in place of the page's own; libraries are those of the runtime's scope. */
const NAMES =
  'document,window,window:self,window:globalThis,gsap,__timelines,__vid,anime,lottie,bodymovin,d3,SplitText,Flip'

/** Keeps line numbers and file name in error reports: the code starts on its own line of its own file. */
export const placeScript = (code: string, { file, line }: ScriptPlace, before = '', after = ''): string => {
  return `${before}${'\n'.repeat(line - 1)}${code}\n${after}//# sourceURL=${encodeURI(file)}\n`
}

/** Makes the text of a script file safe to stand inside a `<script>` element. */
export const embedScript = (code: string): string =>
  code.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--')

/** Runs a classic script in a function of its own, where `document` and its friends mean one instance. */
export const scopeClassicScript = (code: string, place: ScriptPlace, instance: string): string =>
  placeScript(
    code,
    place,
    `(function({${NAMES}}){(function(){`,
    `}).call(window)})(__vid.__scope("${instance}"))\n`,
  )

/** Gives a module its instance's `document`, `window`, `__timelines` and `__vid`. */
export const scopeModule = (code: string, place: ScriptPlace, instance: string): string =>
  placeScript(
    code,
    place,
    `const {document,window,__timelines,__vid}=globalThis.__vid.__scope("${instance}");`,
  )

const SCRIPT = /<script\b[^>]*>((?:(?!<\/script)[\s\S])*?\n\/\/# sourceURL=(\S+)\s*)<\/script>/gi

/** Where a line of compiled text was written, if it is in a script: a script that does not parse cannot tell itself. */
export const authoredPlace = (html: string, line: number): ScriptPlace | undefined => {
  const lineAt = (index: number) => html.slice(0, index).split('\n').length
  for (const { 0: element, 1: code = '', 2: url = '', index } of html.matchAll(SCRIPT)) {
    const first = lineAt(index + element.indexOf('>') + 1)
    const last = first + code.split('\n').length - 1
    if (line >= first && line <= last) return { file: decodeURI(url), line: line - first + 1 }
  }
  return undefined
}
