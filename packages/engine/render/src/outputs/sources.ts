import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { besidePath, definePlugin, isSourceAddress, placeSidecars, posterName } from '@vid/kernel'
import type { RenderPlan, RenderRequest } from '@vid/protocol'
import { fail } from '../errors.ts'
import { isSameFile, withRealParents } from './identity.ts'

const NAME = '@vid/render-sources'
/** Before every target. */
const FIRST = -1e6

/** Linked texts that are larger are not searched for names. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

/** Local style sheets and scripts that a page names. */
const LINKED = /(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi
/** The part of an address up to the ending of a text that can name others. */
const LINKED_FILE = /^.+\.(?:css|m?js|json|svg)\b/i

const isBoundary = (character: string | undefined) => character === undefined || /[\s"'`(),=/?#&;]/.test(character)

/** Whether a text names a path, not as a part of a longer name; a folder is named by every path below it. */
const names = (text: string, path: string, isFolder: boolean): boolean => {
  for (const spelled of new Set([path, encodeURI(path)]))
    for (let index = text.indexOf(spelled); index !== -1; index = text.indexOf(spelled, index + 1)) {
      const next = text[index + spelled.length]
      if (isBoundary(text[index - 1]) && (isFolder ? next === '/' : isBoundary(next))) return true
    }
  return false
}

/**
 * The entry with what it embeds, and the style sheets and scripts that it links, each with its folder in the project.
 */
const textsOf = async (projectDir: string, entry: string, signal?: AbortSignal) => {
  const { compileEntry } = await import('@vid/core')
  const { html } = await compileEntry(projectDir, entry, signal ? { signal } : {})
  const below = posix.dirname(entry)
  const linked = [...html.matchAll(LINKED)].flatMap(([, path = '']) => LINKED_FILE.exec(path) ?? [])
  const texts = [{ folder: below, text: html }]
  for (const path of new Set(linked)) {
    if (isSourceAddress(path)) continue
    const file = posix.normalize(path.startsWith('/') ? path.slice(1) : posix.join(below, path))
    const facts = await stat(join(projectDir, file)).catch(() => undefined)
    if (!facts?.isFile() || facts.size > MAX_TEXT_BYTES) continue
    texts.push({ folder: posix.dirname(file), text: await readFile(join(projectDir, file), 'utf8') })
  }
  return texts
}

/** The composition's use of an existing output as a source; undefined if it does not use it. */
const sourceAt = async (
  output: string,
  plan: Pick<RenderPlan, 'media'>,
  { projectDir, entry }: Pick<RenderRequest, 'projectDir' | 'entry'>,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const facts = await stat(output).catch(() => undefined)
  if (facts === undefined) return undefined
  for (const { src } of plan.media) {
    if (isSourceAddress(src)) continue
    const file = resolve(projectDir, src)
    if ((await isSameFile(file, output)) || (await isSameFile(dirname(file), output))) return src
  }
  const steps = relative(await realpath(projectDir), await withRealParents(output))
  const inProject = steps.split(sep).join('/')
  if (inProject.startsWith('../')) return undefined
  for (const { folder, text } of await textsOf(projectDir, entry, signal))
    for (const path of [inProject, posix.relative(folder, inProject)])
      if (path !== '' && names(text, path, facts.isDirectory())) return inProject
  return undefined
}

/** Refuses outputs that exist and that the composition shows. */
export const checkSources = async (
  outputs: readonly string[],
  plan: Pick<RenderPlan, 'media'>,
  request: Pick<RenderRequest, 'projectDir' | 'entry' | 'force'>,
  signal?: AbortSignal,
): Promise<void> => {
  if (request.force) return
  for (const path of outputs) {
    const source = await sourceAt(path, plan, request, signal)
    if (source !== undefined) throw fail('VID_OUTPUT_SOURCE', { path, source })
  }
}

/** Ends a render, before its first frame, that would replace a source of its composition. */
export const sourceGuard = definePlugin({
  name: NAME,
  setup(hooks) {
    const check = async (request: RenderRequest, plan: Pick<RenderPlan, 'media' | 'sidecars' | 'poster'>) => {
      const outputs = [request.output, ...request.outputs.map(({ output }) => output)]
      const beside = placeSidecars(outputs, plan.sidecars).map(({ path }) => path)
      const { poster } = plan
      const posters = poster ? outputs.map((output) => besidePath(output, `.${posterName(poster)}`)) : []
      await checkSources([...outputs, ...beside, ...posters], plan, request)
      return undefined
    }
    const tap = { name: NAME, stage: FIRST }
    hooks.execute.tapPromise(tap, ({ plan, request }) => check(request, plan))
    // Without a plan, the names in the composition's text are all that is known of its media.
    hooks.request.tapPromise(tap, ({ request }) => check(request, { media: [] }))
  },
})
