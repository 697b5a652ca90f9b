import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, extname, posix } from 'node:path'
import { attributeOf, childElements, decoded, type Element, labelOf, lineOf } from '@vid/core/source-model'
import { describeCause } from '@vid/kernel'
import { nameProblem } from '@vid/project'
import { digestFile, findProjectFile } from '@vid/system'
import { fail } from '../errors.ts'
import { motionsOf } from '../follow/property-motion.ts'
import type { OperationOf } from '../operations/operation.ts'
import { addAttribute, addNote, emptyPlan, type Plan } from '../patch/plan.ts'
import { type Located, locate } from '../source/locate.ts'
import { type PlanContext, refuse } from './context.ts'
import { isPlayed } from './trim.ts'
import { setBound } from './variable.ts'

/** Where imported media is put. */
const FOLDER = 'assets'

/** The element whose `src` names the media: itself, or its first `<source>`. */
const holderOf = ({ element }: Located): Element | undefined => {
  if (!['video', 'audio', 'img', 'source'].includes(element.tagName)) return undefined
  if (attributeOf(element, 'src') !== null) return element
  return childElements(element).find(({ tagName }) => tagName === 'source') ?? element
}

/** A reference from one file of a project to another. */
const referenceFrom = (from: string, file: string): string =>
  posix
    .relative(posix.dirname(from), file)
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replaceAll('%20', ' ')
    .replaceAll(' ', '%20')

/** The size of a file to import; VID_EDIT_PATH where it is none. */
const sizeOf = async (path: string): Promise<number> => {
  // A pipe or a device must neither be waited for nor copied.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw fail('VID_EDIT_PATH', { path, reason: `cannot be read: ${describeCause(cause)}` }, { cause })
  })
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw fail('VID_EDIT_PATH', { path, reason: 'is no regular file' })
    return facts.size
  } finally {
    await handle.close()
  }
}

/** The path in the project that an imported file gets: that of a file with the same content, else a free one. */
const placeFor = async (
  { dir, sources, signal }: PlanContext,
  name: string,
  digest: string,
): Promise<{ readonly file: string; readonly isNew: boolean }> => {
  const extension = extname(name)
  const stem = basename(name, extension)
  for (let number = 1; ; number += 1) {
    const file = `${FOLDER}/${stem}${number === 1 ? '' : `-${number}`}${extension}`
    const path = await findProjectFile(dir, file)
    if (path !== undefined && (await digestFile(path, signal)) === digest) return { file, isNew: false }
    if (path === undefined && !sources.files.has(file)) return { file, isNew: true }
  }
}

const importMedia = async (plan: Plan, context: PlanContext, path: string): Promise<string> => {
  const name = basename(path)
  const problem = name.startsWith('.') ? 'is hidden' : nameProblem(`${FOLDER}/${name}`)
  if (problem) throw fail('VID_EDIT_PATH', { path, reason: problem })
  const bytes = await sizeOf(path)
  const digest = await digestFile(path, context.signal)
  const { file, isNew } = await placeFor(context, name, digest)
  if (isNew) plan.copies.set(file, { from: path, digest, bytes })
  return file
}

/** Plans `media`. */
export const planMedia = async (operation: OperationOf<'media'>, context: PlanContext): Promise<Plan> => {
  const plan = emptyPlan()
  const place = locate(context.sources, operation.target)
  const { file, element } = place
  const holder = holderOf(place)
  if (!holder)
    throw refuse(
      'media',
      labelOf(element),
      `a <${element.tagName}> has no media`,
      'Choose a <video>, an <audio> or an <img>.',
    )
  const imported = operation.import === undefined ? undefined : await importMedia(plan, context, operation.import)
  const src = imported === undefined ? (operation.src ?? '') : referenceFrom(file.file, imported)
  if (/^\s*(?:javascript|vbscript):/i.test(src))
    throw refuse(
      'media',
      labelOf(element),
      `"${src}" is a script`,
      'Give a file of the project or an address of media.',
    )
  if (setBound(plan, context, place, 'data-var-src', src)) return plan
  const before = attributeOf(holder, 'src')
  if (before !== src)
    addAttribute(
      plan,
      'changes',
      { file, element: holder },
      ['src', src],
      `${labelOf(element)} shows "${decoded(src)}"${before === null ? '' : ` instead of "${before}"`}.`,
    )
  if (imported !== undefined && plan.copies.size > 0)
    plan.follows.push({ file: imported, line: 1, text: `${operation.import} is copied into the project.` })
  return plan
}

export const requirePlayed = (
  context: PlanContext,
  op: 'volume' | 'fade',
  operation: OperationOf<'volume' | 'fade'>,
): Located => {
  const place = locate(context.sources, operation.target)
  if (isPlayed(place.element)) return place
  throw refuse(op, labelOf(place.element), 'it has no sound', 'Choose an <audio> or a <video>.')
}

/** Plans `volume`. */
export const planVolume = (operation: OperationOf<'volume'>, context: PlanContext): Plan => {
  const plan = emptyPlan()
  const place = requirePlayed(context, 'volume', operation)
  const value = String(operation.volume)
  const before = attributeOf(place.element, 'data-volume')
  if (before === value) return plan
  const was = before === null ? '' : ` instead of ${before}`
  addAttribute(
    plan,
    'changes',
    place,
    ['data-volume', value],
    `${labelOf(place.element)} has the volume ${value}${was}.`,
  )
  for (const { source, line } of motionsOf(context.sources, place, 'volume'))
    addNote(plan, {
      kind: 'script',
      file: source.script.file,
      line,
      text: `An animation sets the volume of ${labelOf(place.element)}, in place of data-volume.`,
    })
  if (attributeOf(place.element, 'muted') !== null)
    addNote(plan, {
      kind: 'script',
      file: place.file.file,
      line: lineOf(place.element),
      text: `${labelOf(place.element)} is muted.`,
    })
  return plan
}
