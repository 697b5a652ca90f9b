import { basename, extname, posix } from 'node:path'
import { attributeOf, readNumber, writeAttributeValue } from '@vid/core/source-model'
import { nameProblem } from '@vid/project'
import { fail } from '../errors.ts'
import type { OperationOf } from '../operations/operation.ts'
import { innerMarkup } from '../patch/inner-markup.ts'
import { addEdit, emptyPlan, type Plan } from '../patch/plan.ts'
import { writeText } from '../patch/text-edit.ts'
import { type ClipScope, secondsText } from '../source/clips.ts'
import { projectFile } from '../source/project-disk.ts'
import { type OperationContext, refuse } from './context.ts'
import { importFile, referenceFrom } from './import-file.ts'
import { type InsertPlace, insertPlace, noteHidden } from './insert-place.ts'
import { type InsertKind, kindOfFile } from './media-kind.ts'
import { freeName, isMentioned, takenNames } from './names.ts'
import { noteStructure } from './order.ts'
import { freeTrack, trackedClips, trackName } from './tracks.ts'

type Insert = OperationOf<'insert'>

const TAGS = { video: 'video', audio: 'audio', image: 'img', composition: 'div', text: 'div' } as const

const MAX_NAME = 40

const kindOf = ({ kind, text, file, import: original }: Insert): InsertKind => {
  if (text !== undefined) return 'text'
  const name = file ?? original ?? ''
  const chosen = kind ?? kindOfFile(name)
  if (chosen === undefined)
    throw refuse('insert', `"${name}"`, 'its name does not say what it is', 'Say so with "kind".')
  if (chosen === 'composition' && original !== undefined)
    throw refuse(
      'insert',
      `"${name}"`,
      'a composition needs the files beside it',
      'Copy its folder into the project, and name it by "file".',
    )
  return chosen
}

/** The path in the project of what is shown; null for a text. */
const fileOf = async (
  plan: Plan,
  context: OperationContext,
  { file, import: original }: Insert,
): Promise<string | null> => {
  if (original !== undefined) return importFile(plan, context, original)
  if (file === undefined) return null
  const problem = nameProblem(file)
  if (problem !== null) throw fail('VID_EDIT_PATH', { path: file, reason: problem })
  if (!context.sources.copies.has(file)) await projectFile(context.dir, file)
  return file
}

/** The address of a file as an element of another one refers to it. */
const addressOf = ({ sources }: OperationContext, kind: InsertKind, from: string, file: string): string => {
  const beside = posix.relative(posix.dirname(from), file)
  // The address of a composition is tried from the project's folder first.
  const isOther = kind === 'composition' && beside !== file && !beside.startsWith('..') && sources.files.has(beside)
  return referenceFrom(isOther ? '' : from, file)
}

const idOf = ({ sources }: OperationContext, { id }: Insert, kind: InsertKind, file: string | null): string => {
  const taken = takenNames(sources)
  if (id !== undefined && taken.has(id))
    throw refuse('insert', `"${id}"`, 'another element has this id', 'Choose another id, or leave it out.')
  if (id !== undefined) return id
  const stem = file === null ? '' : basename(file, extname(file))
  const words = stem
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const name =
    words
      .replace(/^[-\d]+/, '')
      .slice(0, MAX_NAME)
      .replace(/-$/, '') || kind
  const isTaken = { has: (candidate: string) => taken.has(candidate) || isMentioned(sources, candidate) }
  return isTaken.has(name) ? freeName(name, isTaken) : name
}

/** The inline style that lays an element over the composition, in pixels, so that it can be moved and resized. */
const styleOf = (kind: InsertKind, { holder }: ClipScope, { file }: InsertPlace): string | null => {
  if (kind === 'audio') return null
  const side = (name: string) =>
    readNumber(attributeOf(holder, name)) ?? (file.root ? readNumber(attributeOf(file.root, name)) : null)
  const width = side('data-width')
  const height = side('data-height')
  const pixels = (value: number | null) => (value === null ? '100%' : `${value}px`)
  const placed = 'position: absolute; left: 0; '
  if (kind === 'text') {
    const size = Math.max(1, Math.round((height ?? 720) / 12))
    const top = height === null ? '45%' : `${Math.round(height / 2 - size * 0.6)}px`
    return `${placed}top: ${top}; width: ${pixels(width)}; margin: 0; font-size: ${size}px; line-height: 1.2; text-align: center`
  }
  const fit = kind === 'composition' ? '' : '; object-fit: contain'
  return `${placed}top: 0; width: ${pixels(width)}; height: ${pixels(height)}${fit}`
}

/** The track of a new clip: the one that is asked for, else a free one where the composition has tracks. */
const trackOf = (scope: ClipScope, { track, start }: Insert, end: number | null) => {
  const tracked = trackedClips(scope)
  const last = tracked.at(-1)
  const name = (last && trackName(last)) ?? 'data-track-index'
  if (track !== undefined || !last) return { name, track }
  const highest = Math.max(...tracked.map(({ clip }) => clip.track))
  return { name, track: freeTrack(scope, highest, { start, end }) }
}

/** The end of a new clip; null where its source says how long it is. */
const endOf = ({ duration }: ClipScope, kind: InsertKind, operation: Insert): number | null => {
  if (operation.duration !== undefined) return operation.start + operation.duration
  return kind === 'image' || kind === 'text' ? duration : null
}

const markupOf = (
  kind: InsertKind,
  attributes: readonly (readonly [string, string | null])[],
  text: string,
): string => {
  const tag = TAGS[kind]
  const written = attributes.flatMap(([name, value]) =>
    value === null ? [] : [` ${name}="${writeAttributeValue(value, '"')}"`],
  )
  const content = text
    .split(/\r\n|\n|\r/)
    .map(writeText)
    .join('<br>')
  return `<${tag}${written.join('')}>${tag === 'img' ? '' : `${content}</${tag}>`}`
}

/** Plans `insert`. */
export const planInsert = async (operation: Insert, context: OperationContext): Promise<Plan> => {
  const { sources } = context
  const { start, duration } = operation
  const plan = emptyPlan()
  const place = insertPlace(context, operation)
  const { file, element, side, scope } = place
  const kind = kindOf(operation)
  const shown = await fileOf(plan, context, operation)
  const id = idOf(context, operation, kind, shown)
  const end = endOf(scope, kind, operation)
  const { name: trackAttribute, track } = trackOf(scope, operation, end)
  const markup = markupOf(
    kind,
    [
      ['id', id],
      [
        kind === 'composition' ? 'data-composition-src' : 'src',
        shown === null ? null : addressOf(context, kind, file.file, shown),
      ],
      ['data-start', secondsText(start)],
      ['data-duration', duration === undefined ? null : secondsText(duration)],
      [trackAttribute, track === undefined ? null : String(track)],
      ['style', styleOf(kind, scope, place)],
    ],
    operation.text ?? '',
  )
  const html = sources.textOf(file.file) ?? ''
  addEdit(plan, file.file, {
    kind: 'insert',
    element,
    side,
    markup: side === 'end' ? innerMarkup(html, element, markup) : markup,
  })
  const location = element.sourceCodeLocation
  const name = `<${TAGS[kind]} id="${id}">`
  const onTrack = track === undefined ? '' : `, on track ${track}`
  plan.changes.push({
    file: file.file,
    line: (side === 'before' ? location?.startLine : location?.endLine) ?? 1,
    text: `${name} is inserted at ${secondsText(start)} s${onTrack}.`,
  })
  noteHidden(plan, place, name, { start, end })
  if (side !== 'end') noteStructure(plan, sources, place)
  return plan
}
