import { type CloudRender, cloudSides } from '@vid/client/contract'
import { describeIssue, issueWarning, readFactsTask, resolveVariables, type SourceFacts } from '@vid/core'
import { frameAt, type Reading } from '@vid/kernel'
import { frameCount, isVidError, ladderRungs, refusedPath, type Warning } from '@vid/protocol'
import { fail } from '../errors.ts'

/** Number of invalid values that are listed individually. */
const MAX_SHOWN = 50

const parameter = (field: string, problem: string) => fail('VID_CLOUD_PARAMETER', { field, problem })

/** Longest path of an entry file, and longest name in it, in bytes. */
const PATH_BYTES = 1000
const NAME_BYTES = 255

const checkEntry = (entry: string): void => {
  const names = entry.split('/')
  const isPlain = names.every((name) => name !== '' && name !== '..' && Buffer.byteLength(name) <= NAME_BYTES)
  if (!isPlain || refusedPath(entry) !== null || Buffer.byteLength(entry) > PATH_BYTES)
    throw parameter('composition', `cannot be the name of an HTML file in the project: "${entry}"`)
}

const checkCallback = (url: string, mayBePlain: boolean): void => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isSafe = parsed?.protocol === 'https:' || (mayBePlain && parsed?.protocol === 'http:')
  if (!isSafe) throw parameter('callback_url', 'is no https address')
  if (parsed.username || parsed.password) throw parameter('callback_url', 'carries a user name or password')
}

/** The dotted path of the first text that the database cannot store; undefined if it can store all. */
const unfitText = (value: unknown, path: readonly string[] = []): string | undefined => {
  const isFit = (text: string) => !text.includes('\0') && !/\p{Surrogate}/u.test(text)
  if (typeof value === 'string') return isFit(value) ? undefined : path.join('.')
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    if (!isFit(name)) return path.join('.')
    const problem = unfitText(inner, [...path, name])
    if (problem !== undefined) return problem
  }
  return undefined
}

const checkLadder = ({ ladder, format, resolution }: CloudRender): void => {
  if (ladder === undefined) return
  if (format !== 'hls') throw parameter('ladder', `is for hls, which has several sizes; got the format ${format}`)
  const side = cloudSides[resolution]
  const rungs = ladderRungs(ladder).filter((rung) => rung > side)
  if (rungs.length > 0) throw parameter('ladder', `has ${rungs.join(' and ')}, above the ${side} pixels of the picture`)
}

const checkCodec = ({ codec, format }: CloudRender): void => {
  if (codec !== undefined && format !== 'mp4' && format !== 'hls')
    throw parameter('codec', `is for mp4 and hls; got the format ${format}, which has its own`)
}

const checkShapes = (render: CloudRender): void => {
  const [first, second] = (['shape', 'shapes', 'aspect_ratio'] as const).filter((name) => render[name] !== undefined)
  if (first && second) throw parameter(second, `and ${first} are both given: one of them says how the page is laid out`)
}

/** The videos of a render: one for each shape, or the one that it is. */
export const videosOf = (render: CloudRender): readonly CloudRender[] => {
  const { shapes, callback_url: _url, callback_id: _id, ...video } = render
  return shapes ? shapes.map((shape) => ({ ...video, shape })) : [render]
}

/** Refuses a poster after the end of a video whose length its source says; the plan refuses it otherwise. */
export const checkPoster = ({ poster, fps }: CloudRender, duration: number | null): void => {
  if (poster === undefined || duration === null) return
  const length = { fps, duration, frames: frameCount(duration, fps) }
  if (frameAt(poster, length) === undefined)
    throw parameter('poster', `is ${poster}, but the video is ${duration} s long`)
}

/** Longest variables, in characters of JSON: they are a part of every plan, which is checked and compared again and again. */
const MAX_VARIABLES = 2 ** 20

const checkVariables = ({ variables }: CloudRender): void => {
  const { length } = JSON.stringify(variables)
  if (length > MAX_VARIABLES)
    throw parameter('variables', `has ${length} characters as JSON; the limit is ${MAX_VARIABLES}`)
}

/** Checks what the schema of a render cannot express. */
export const checkFields = (
  render: CloudRender,
  { allowPrivateAddresses }: { readonly allowPrivateAddresses: boolean },
): void => {
  const { resolution, format, composition, callback_url: callback } = render
  if (resolution === '4k' && format !== 'mp4')
    throw parameter('resolution', `4k is made as mp4 only, without alpha; got the format ${format}`)
  checkLadder(render)
  checkCodec(render)
  checkShapes(render)
  checkVariables(render)
  const unfit = unfitText(render)
  if (unfit !== undefined) throw parameter(unfit, 'has a NUL character or half a character')
  checkEntry(composition)
  if (callback !== undefined) checkCallback(callback, allowPrivateAddresses)
}

/** How a project is read: in a thread of its own. */
interface ReadOptions {
  readonly reading: Reading
  readonly signal: AbortSignal
}

const load = async (
  folder: string,
  { composition: entry, shape }: Pick<CloudRender, 'composition' | 'shape'>,
  { reading, signal }: ReadOptions,
): Promise<SourceFacts> => {
  try {
    return await reading(readFactsTask, { projectDir: folder, entry, shape }, signal)
  } catch (thrown) {
    if (!isVidError(thrown) || thrown.fault === 'machine') throw thrown
    // The message must not name the server's folder.
    const problem = thrown.message.replaceAll(`"${folder}"`, 'the project').replace(/\.$/, '')
    const isOfShape = thrown.code.startsWith('VID_SHAPE_')
    const field = isOfShape ? 'shape' : thrown.code.startsWith('VID_ENTRY_') ? 'composition' : 'project'
    const problems = [isOfShape ? `${problem}. ${thrown.hint?.replace(/\.$/, '')}` : problem]
    throw fail('VID_CLOUD_PROJECT_INVALID', { field, problems }, { cause: thrown })
  }
}

/** Checks a render against its project: the entry file and its variables. Returns warnings. */
export const checkRenderProject = async (
  folder: string,
  render: CloudRender,
  options: ReadOptions,
): Promise<{
  readonly warnings: readonly Warning[]
  readonly composition: SourceFacts
}> => {
  const composition = await load(folder, render, options)
  const { issues } = resolveVariables(composition.declarations, render.variables)
  const firstIssues = issues.slice(0, MAX_SHOWN)
  if (!render.strict_variables) return { composition, warnings: firstIssues.map((issue) => issueWarning(issue)) }
  if (issues.length === 0) return { composition, warnings: [] }
  const rest = issues.length - firstIssues.length
  const problems = [...firstIssues.map(describeIssue), ...(rest > 0 ? [`and ${rest} more`] : [])]
  const [first] = issues
  throw fail('VID_CLOUD_PROJECT_INVALID', { field: `variables.${first?.variableId}`, problems })
}
