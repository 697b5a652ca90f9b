import { compileText, type ProjectFiles, parseComposition, resolveVariables } from '@vid/core/compile-text'
import { escapeHtml } from '@vid/protocol'
import { playerText } from '@vid/runtime'
import { insertFirst } from './first-in-document.ts'

/** Text of the built script of pages that are played. */
declare const __VID_PLAYER_SCRIPT__: string

/** Rounds of looking up which files exist; each can reveal others. */
const MAX_ROUNDS = 10

/** The files below an address. Unknown files are looked up on the server afterwards, since `has` cannot wait. */
const filesBelow = (folder: URL, signal: AbortSignal) => {
  const texts = new Map<string, Promise<string | null>>()
  const answers = new Map<string, boolean>()
  const unknown = new Set<string>()
  const addressOf = (file: string) => new URL(file.split('/').map(encodeURIComponent).join('/'), folder)
  const fetchText = async (file: string) => {
    const response = await fetch(addressOf(file), { signal })
    return response.ok ? response.text() : null
  }
  const files: ProjectFiles = {
    async readText(file) {
      const text = texts.get(file) ?? fetchText(file)
      texts.set(file, text)
      return text
    },
    has(file) {
      if (!answers.has(file)) unknown.add(file)
      return answers.get(file) ?? false
    },
  }
  return {
    files,
    /** Looks up the unknown files; false without any. */
    async lookUp(): Promise<boolean> {
      const paths = [...unknown]
      unknown.clear()
      await Promise.all(
        paths.map(async (file) => {
          const { ok } = await fetch(addressOf(file), { method: 'HEAD', signal })
          answers.set(file, ok)
        }),
      )
      return paths.length > 0
    },
  }
}

/** The document that plays a composition as it is on a server: its folder is taken for the whole project. */
export const preparePlainComposition = async (url: string, html: string, signal: AbortSignal): Promise<string> => {
  const folder = new URL('.', url)
  const file = decodeURIComponent(new URL(url).pathname.split('/').at(-1) || 'index.html')
  const { width, height, duration, declarations } = parseComposition(html, { file })
  const { files, lookUp } = filesBelow(folder, signal)
  let composition = await compileText(files, { file, html })
  for (let round = 0; round < MAX_ROUNDS && (await lookUp()); round++)
    composition = await compileText(files, { file, html })
  const { values: variables } = resolveVariables(declarations, {})
  const config = { width, height, fps: 30, variables, alpha: false }
  const script = playerText(__VID_PLAYER_SCRIPT__, { config, settings: { duration } })
  // References of a document without its own address start here.
  const base = `<base href="${escapeHtml(folder.href)}">`
  return insertFirst(composition.html, script, base)
}
