import { batch, computed, effect, signal } from '@preact/signals'
import type { PlacedComment } from '@vid/edit/events'
import { secondsOf } from '@vid/protocol'
import { API } from '../../api-paths.ts'
import type { CommentBody, CommentChangeBody, CommentsReply } from '../../comments-api.ts'
import { inspection, selectedTarget } from '../edit/inspection.ts'
import { selectElement, selectWhere } from '../edit/select-element.ts'
import { attempt } from '../state/notices.ts'
import { frame, inOut, range, rate } from '../state/playback.ts'
import { entry, revision } from '../state/project.ts'
import { seekToTime } from '../state/seek-to.ts'
import { read, sendDelete, sendJson, withQuery } from '../state/server.ts'
import { stagedPicture } from '../state/staged.ts'
import { panel } from '../state/view.ts'

/** The comments on the shown composition, in order of time. */
export const comments = signal<readonly PlacedComment[]>([])

/** Those that are not done. */
export const openComments = computed(() => comments.value.filter(({ resolved }) => resolved === null))

/** The comment that was chosen last; null for none. */
export const chosenComment = signal<number | null>(null)

/** Whether the field of a new comment is to be focused. */
export const isCommentWanted = signal(false)

/** What a new comment would be about: the range that is marked, or the frame that is shown, and the selected element. */
export const subject = computed(() => {
  const { start, end } = inOut.value
  const isRange = start !== null && end !== null
  return {
    from: secondsOf(isRange ? range.value.start : frame.value, rate.value),
    to: isRange ? secondsOf(range.value.end, rate.value) : null,
    element: inspection.value?.element ?? null,
  }
})

const put = (name: string, reply: CommentsReply) => {
  if (name === entry.peek()) comments.value = reply.comments
}

const load = (signal: AbortSignal): Promise<void> =>
  attempt(async () => {
    const name = entry.peek()
    put(name, await read<CommentsReply>(withQuery(API.comments, { entry: name }), signal))
  })

/** Writes a comment on what is shown; whether it was taken. */
export const postComment = async (text: string, isOnElement: boolean): Promise<boolean> => {
  const { from, to } = subject.peek()
  const target = isOnElement ? (selectedTarget.peek() ?? null) : null
  const body = { entry: entry.peek(), from, to, target, text } as CommentBody
  let isTaken = false
  await attempt(async () => {
    put(body.entry, await sendJson<CommentsReply>(API.comments, body))
    isTaken = true
  })
  return isTaken
}

const pathOf = (id: number) => API.comment.replace(':id', String(id))

const change = async (id: number, body: CommentChangeBody): Promise<boolean> => {
  let isTaken = false
  await attempt(async () => {
    put(body.entry, await sendJson<CommentsReply>(pathOf(id), body))
    isTaken = true
  })
  return isTaken
}

/** Answers a comment; whether the answer was taken. */
export const postAnswer = (id: number, text: string): Promise<boolean> => change(id, { entry: entry.peek(), text })

/** Marks a comment as done, or as open again. */
export const postResolution = (id: number, isResolved: boolean): Promise<boolean> =>
  change(id, { entry: entry.peek(), isResolved })

/** Removes a comment. */
export const deleteComment = (id: number): Promise<void> =>
  attempt(async () => {
    const name = entry.peek()
    put(name, await sendDelete<CommentsReply>(withQuery(pathOf(id), { entry: name })))
  })

/** Goes to the time of a comment, and selects its element. */
export const showComment = ({ id, from, pin, place }: PlacedComment): void =>
  batch(() => {
    chosenComment.value = id
    panel.value = 'comments'
    seekToTime(from)
    if (!pin || !place) return
    const { file, line, target } = place
    if (pin.id === null) selectElement({ picked: { target, path: null, selector: null } }, false)
    else selectWhere({ element: `#${pin.id}`, file, line })
  })

/** Shows the panel of comments, and begins one. */
export const beginComment = (): void =>
  batch(() => {
    panel.value = 'comments'
    isCommentWanted.value = true
  })

/** Reads the comments again after another program has changed them. */
export const hearComments = (): void => void load(new AbortController().signal)

/** Reads the comments whenever another composition is shown, or its elements may be elsewhere; called once. */
export const followComments = (): void => {
  effect(() => {
    const stop = new AbortController()
    if (entry.value && revision.value >= 0 && stagedPicture.value !== undefined) void load(stop.signal)
    return () => stop.abort()
  })
  effect(() => {
    if (entry.value) chosenComment.value = null
  })
}
