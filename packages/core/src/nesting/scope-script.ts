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

const SCRIPT = /<script\b[^>]*>((?:(?!<\/script)[\s\S])*?\n\/\/# sourceURL=(\S+)\s*)<\/script>/gi

/** Original location of a line of compiled text, if it is in a script; needed for scripts that do not parse. */
export const authoredPlace = (html: string, line: number): ScriptPlace | undefined => {
  const lineAt = (index: number) => html.slice(0, index).split('\n').length
  for (const { 0: element, 1: code = '', 2: url = '', index } of html.matchAll(SCRIPT)) {
    const first = lineAt(index + element.indexOf('>') + 1)
    const last = first + code.split('\n').length - 1
    if (line >= first && line <= last) return { file: decodeURI(url), line: line - first + 1 }
  }
  return undefined
}
