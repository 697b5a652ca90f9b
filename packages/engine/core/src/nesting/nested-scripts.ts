import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { defaultTreeAdapter as adapter } from 'parse5'
import { splitReference } from '../source/project-references.ts'
import { attributeOf, descendants, type Element } from '../source/tree.ts'
import { createElement, textOf } from './nested-file.ts'
import type { Rewrite } from './rewrite-paths.ts'
import { embedScript, placeScript, scopeClassicScript, scopeModule } from './scope-script.ts'

/** Access to project files for collecting scripts. */
export interface ScriptReader {
  readonly entry: string
  rewriteFrom(file: string): Rewrite
  /** Resolves a relative reference to a project file. */
  fileOf(from: string, path: string): string
  readText(file: string): Promise<string | null>
}

/** How a browser runs a script element; `data` is not executed. */
export const scriptKind = (script: Element): 'classic' | 'module' | 'data' => {
  const type = attributeOf(script, 'type')?.trim().toLowerCase() ?? ''
  if (type === 'module') return 'module'
  return type === '' || /^(text|application)\/(x-)?(java|ecma)script$/.test(type) ? 'classic' : 'data'
}

/** Whether a script file is a library, inferred from its path. */
export const isLibrary = (file: string) => /(^|\/)(node_modules|vendor|lib|libs)\/|\.min\.[cm]?js$/i.test(file)

/** The scripts of all instances. */
export interface ScriptCollector {
  /** Script elements in execution order. */
  readonly elements: readonly Element[]
  /** Moves an instance's scripts out of its host, scoped to it. */
  take(host: Element, file: string, instance: string): Promise<void>
}

/** Collects the scripts of embedded compositions: libraries run once per page, other scripts once per instance. */
export const createScriptCollector = (document: Tree.Document, reader: ScriptReader): ScriptCollector => {
  const elements: Element[] = []
  const shared = new Set<string>()
  const localFile = (from: string, src: string): string | null => {
    if (/^\/(?!\/)/.test(src)) return src.slice(1).replace(/[?#].*$/s, '')
    const reference = splitReference(src)
    return reference && reader.fileOf(from, reference.path)
  }
  const share = (key: string, attributes: Record<string, string>) => {
    if (!shared.has(key)) elements.push(createElement('script', attributes))
    shared.add(key)
  }
  for (const script of descendants(document)) {
    const src = script.tagName === 'script' ? attributeOf(script, 'src') : null
    if (src !== null) shared.add(localFile(reader.entry, src) ?? src)
  }
  return {
    elements,
    async take(host: Element, file: string, instance: string): Promise<void> {
      for (const script of [...descendants(host)].filter(({ tagName }) => tagName === 'script')) {
        const kind = scriptKind(script)
        if (kind === 'data') continue
        adapter.detachNode(script)
        const src = attributeOf(script, 'src')
        const type: Record<string, string> = kind === 'module' ? { type: 'module' } : {}
        if (src === null) {
          const { text, line } = textOf(script)
          const scope = kind === 'module' ? scopeModule : scopeClassicScript
          elements.push(createElement('script', type, scope(text, { file, line }, instance)))
          continue
        }
        const path = localFile(file, src)
        const isShared = path === null || kind === 'module' || isLibrary(path) || shared.has(path)
        const text = isShared ? null : await reader.readText(path)
        if (text === null) share(path ?? src, { ...type, src: reader.rewriteFrom(file)(src) })
        else {
          const code = scopeClassicScript(embedScript(text), { file: path ?? src, line: 1 }, instance)
          elements.push(createElement('script', {}, code))
        }
      }
    },
  }
}

/** Makes the entry's inline scripts report their original file and line, although compiling moves them. */
export const placeOwnScripts = (document: Tree.Document, file: string): void => {
  for (const script of [...descendants(document)]) {
    if (script.tagName !== 'script' || attributeOf(script, 'src') !== null || scriptKind(script) === 'data') continue
    const { text, line } = textOf(script)
    for (const node of [...script.childNodes]) adapter.detachNode(node)
    adapter.insertText(script, placeScript(text, { file, line }))
  }
}
