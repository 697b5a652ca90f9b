import { computed, effect } from '@preact/signals'
import type { PreviewView } from '@vid/edit/events'
import { firstFrameAt, secondsOf } from '@vid/protocol'
import { API } from '../../api-paths.ts'
import { inspection, selectedTarget } from '../edit/inspection.ts'
import { connection } from './connection.ts'
import { frame, frames, inOut, isPlaying, range, rate } from './playback.ts'
import { entry } from './project.ts'
import { sendJson } from './server.ts'
import { selectedClip } from './timeline.ts'

/** The frame that is shown; while it plays, the first one of its second. */
const reportedFrame = computed(() =>
  isPlaying.value ? firstFrameAt(Math.floor(secondsOf(frame.value, rate.value)), rate.value) : frame.value,
)

const selectedNow = computed((): PreviewView['selected'] => {
  const facts = inspection.value
  if (!facts) return selectedClip.value ? { element: selectedClip.value.name, place: null } : null
  const target = selectedTarget.value
  const { address, element, line } = facts
  return { element, place: { file: address.file, line, target: typeof target === 'string' ? target : address } }
})

/** What the page shows, as text, so that it is the same while nothing changes; empty until something is shown. */
const shown = computed(() => {
  if (!entry.value || frames.value === 0) return ''
  const { start, end } = inOut.value
  const ends = range.value
  const view: PreviewView = {
    entry: entry.value,
    frame: reportedFrame.value,
    time: secondsOf(reportedFrame.value, rate.value),
    isPlaying: isPlaying.value,
    range:
      start === null && end === null
        ? null
        : { from: secondsOf(ends.start, rate.value), to: secondsOf(ends.end, rate.value) },
    selected: selectedNow.value,
  }
  return JSON.stringify(view)
})

/** Keeps the server informed of what the page shows, for assistants; called once. */
export const reportView = (): void => {
  let sent = ''
  let isSending = false
  const send = async () => {
    if (isSending) return
    isSending = true
    while (shown.peek() !== sent) {
      sent = shown.peek()
      // Whether the server answers is shown elsewhere.
      if (sent) await sendJson(API.view, JSON.parse(sent)).catch(() => undefined)
    }
    isSending = false
  }
  effect(() => {
    // A server that was started again knows nothing.
    if (connection.value !== 'open') sent = ''
    else if (shown.value) void send()
  })
}
