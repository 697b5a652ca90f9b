import { signal } from '@preact/signals'
import { secondsOf } from '@vid/protocol'
import type { Operation, UploadReply } from '../../edit-api.ts'
import { keyOfId } from '../model/clip-rows.ts'
import { frameTime } from '../model/drag.ts'
import { placeDropped } from '../model/dropped.ts'
import { type SnapPoint, snapTo } from '../model/snap.ts'
import { attempt, notice, tell } from '../state/notices.ts'
import { frame, rate } from '../state/playback.ts'
import { upload } from '../state/server.ts'
import { edit } from '../state/staged.ts'
import { length, rows, selectedKeys, timeScale } from '../state/timeline.ts'
import { isSnapping, snapPoints } from './clip-gesture.ts'
import { editError, stage } from './edit-session.ts'

/** Where files that are dragged over the page would be put. */
export interface FileDrag {
  /** Seconds of the whole composition. */
  readonly seconds: number
  /** The track under the pointer; undefined for a free one. */
  readonly track: number | undefined
  readonly snap: SnapPoint | null
}

/** The files that are dragged over the page; null for none. */
export const fileDrag = signal<FileDrag | null>(null)

/** The files that are being sent. */
const sending = signal(false)

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/** The time under a pointer on the timeline, and its track. */
const placeOnTimeline = (event: DragEvent, sheet: Element, labelWidth: number): FileDrag => {
  const { perSecond } = timeScale.value
  const offset = event.clientX - sheet.getBoundingClientRect().left - labelWidth
  const seconds = Math.min(Math.max(0, offset / perSecond), length.value)
  const snap = isSnapping.value && !event.altKey ? snapTo([seconds], snapPoints(new Set()), perSecond) : undefined
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
  const key = row?.dataset.row
  const top = rows.value.find((other) => other.key === key && other.depth === 0 && !other.key.startsWith('motion/'))
  return {
    seconds: snap ? snap.point.seconds : frameTime(seconds, rate.value),
    track: top?.clips[0]?.track,
    snap: snap?.point ?? null,
  }
}

const idsOf = (state: typeof edit.value) => state?.clips.flatMap(({ id }) => id ?? []) ?? []

/** Sends files one after the other, and stages a clip for each; Escape ends that without a change. */
const insertFiles = async (files: readonly File[], { seconds, track }: FileDrag): Promise<void> => {
  const stop = new AbortController()
  const endByKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return
    key.preventDefault()
    key.stopPropagation()
    stop.abort()
    tell('Nothing was inserted.')
  }
  window.addEventListener('keydown', endByKey, { signal: stop.signal, capture: true })
  sending.value = true
  try {
    const uploads: UploadReply[] = []
    for (const file of files) {
      notice.value = { text: `Sending ${file.name}. Escape ends it.`, isError: false }
      uploads.push(await upload(file, stop.signal))
    }
    stop.signal.throwIfAborted()
    const clips = placeDropped(uploads, seconds, length.value)
    const top = rows.value.filter(({ depth }) => depth === 0).flatMap((row) => row.clips)
    const isTaken = (start: number, end: number) =>
      top.some((clip) => clip.kind !== 'animation' && clip.track === track && clip.start < end && start < clip.end)
    const operations = clips.map(
      ({ start, duration, ...media }): Operation => ({
        op: 'insert',
        ...media,
        start,
        duration,
        ...(track !== undefined && !isTaken(start, start + duration) && { track }),
      }),
    )
    const before = idsOf(edit.value)
    if (!(await stage(operations))) return
    // What is inserted is what is changed next.
    selectedKeys.value = idsOf(edit.value)
      .filter((id) => !before.includes(id))
      .map(keyOfId)
    tell(files.length === 1 ? `${uploads[0]?.name} was inserted.` : `${files.length} clips were inserted.`)
  } finally {
    sending.value = false
    stop.abort()
  }
}

const insert = (files: readonly File[], place: FileDrag) => {
  if (editError.value) return tell(editError.value, true)
  if (sending.value) return tell('Other files are still being sent.', true)
  if (files.length > 0) void attempt(() => insertFiles(files, place))
}

/** The shown frame, on a free track. */
const shownPlace = (): FileDrag => ({
  seconds: frameTime(secondsOf(frame.value, rate.value), rate.value),
  track: undefined,
  snap: null,
})

/** Inserts files that were chosen, at the shown frame. */
export const addFiles = (files: readonly File[]): void => insert(files, shownPlace())

/** Takes files at the place of a pointer. */
const dropTarget = (placeOf: (event: DragEvent & { readonly currentTarget: Element }) => FileDrag) => ({
  onDragOver(event: DragEvent & { readonly currentTarget: Element }) {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    fileDrag.value = placeOf(event)
  },
  onDragLeave({ currentTarget, relatedTarget }: DragEvent & { readonly currentTarget: Element }) {
    // From one part to another it is still above.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) fileDrag.value = null
  },
  onDrop(event: DragEvent & { readonly currentTarget: Element }) {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.stopPropagation()
    fileDrag.value = null
    insert([...(event.dataTransfer?.files ?? [])], placeOf(event))
  },
})

/** Takes files on the timeline, at the time and the track under the pointer. */
export const timelineDrop = (labelWidth: number) =>
  dropTarget((event) =>
    placeOnTimeline(event, event.currentTarget.querySelector('.timeline-sheet') ?? event.currentTarget, labelWidth),
  )

/** Takes files on the picture, at the shown frame. */
export const pictureDrop = dropTarget(shownPlace)

/** Keeps a browser from opening files that are dropped elsewhere in place of the page. */
export const guardDrops = (): void => {
  const guard = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', guard)
  window.addEventListener('drop', guard)
}
