import type { PlacedComment } from '@vid/edit/events'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatSeconds } from '../model/timecode.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import {
  chosenComment,
  comments,
  deleteComment,
  isCommentWanted,
  openComments,
  postAnswer,
  postComment,
  postResolution,
  showComment,
  subject,
} from '../review/comments.ts'
import { CommentText } from './comment-text.tsx'

const timesOf = ({ from, to }: Pick<PlacedComment, 'from' | 'to'>) =>
  to === null ? formatSeconds(from) : `${formatSeconds(from)} – ${formatSeconds(to)}`

const NewComment = () => {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [isOnElement, setOnElement] = useState(true)
  const isWanted = isCommentWanted.value
  // Before the next key: it belongs to the comment, and would be a command otherwise.
  useLayoutEffect(() => {
    if (!isWanted) return
    field.current?.focus()
    isCommentWanted.value = false
  }, [isWanted])
  const { element } = subject.value
  const submit = async () => {
    if (text.trim() !== '' && (await postComment(text.trim(), isOnElement && element !== null))) setText('')
  }
  return (
    <form
      class="comment-form"
      aria-label="New comment"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <textarea
        ref={field}
        rows={3}
        maxLength={2000}
        aria-label="Comment"
        placeholder="What should be different here?"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // The field alone: the selection stays.
            event.preventDefault()
            event.currentTarget.blur()
          }
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void submit()
        }}
      />
      {element !== null && (
        <label class="row switch-row">
          <input type="checkbox" checked={isOnElement} onChange={() => setOnElement(!isOnElement)} />
          <span>
            About <code>{element}</code>
          </span>
        </label>
      )}
      <div class="row">
        <button type="submit" class="button primary" disabled={text.trim() === ''}>
          Comment
        </button>
        <span class="quiet numbers">at {timesOf(subject.value)}</span>
      </div>
    </form>
  )
}

const Subject = ({ comment: { pin, place } }: { readonly comment: PlacedComment }) => {
  if (pin === null) return <span class="quiet">The composition</span>
  if (place === null)
    return (
      <span class="quiet">
        <code>{pin.element}</code> is gone; the comment stays at its time.
      </span>
    )
  return (
    <span class="row">
      <code class="quiet">{pin.element}</code>
      <PlaceButton file={place.file} line={place.line} />
    </span>
  )
}

const Answer = ({ id }: { readonly id: number }) => {
  const [text, setText] = useState('')
  const submit = async () => {
    if (text.trim() !== '' && (await postAnswer(id, text.trim()))) setText('')
  }
  return (
    <form
      class="row comment-answer"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <input
        type="text"
        maxLength={2000}
        autocomplete="off"
        aria-label={`Answer to comment ${id}`}
        placeholder="Answer"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  )
}

const CommentCard = ({ comment }: { readonly comment: PlacedComment }) => {
  const { id, who, text, answers, resolved } = comment
  const isDone = resolved !== null
  return (
    <li class="card comment" aria-current={chosenComment.value === id}>
      <button
        type="button"
        class="place numbers"
        title="Go to this time, and select the element"
        onClick={() => showComment(comment)}
      >
        {timesOf(comment)}
      </button>
      <Subject comment={comment} />
      <CommentText who={who} text={text} />
      {answers.map((answer) => (
        <CommentText key={answer.writtenMs} who={answer.who} text={answer.text} />
      ))}
      <Answer id={id} />
      <div class="row">
        <button
          type="button"
          class="button small"
          aria-label={isDone ? `Open again: comment ${id}` : `Done: comment ${id}`}
          onClick={() => void postResolution(id, !isDone)}
        >
          {isDone ? 'Open again' : 'Done'}
        </button>
        <button
          type="button"
          class="button small"
          aria-label={`Remove comment ${id}`}
          onClick={() => void deleteComment(id)}
        >
          Remove
        </button>
      </div>
    </li>
  )
}

/** Comments on times and elements of the composition, which assistants read and answer. */
export const CommentsPanel = () => {
  const done = comments.value.filter(({ resolved }) => resolved !== null)
  return (
    <>
      <h2 class="hidden">Comments</h2>
      <NewComment />
      {openComments.value.length === 0 && (
        <p class="quiet">
          No open comments. A comment is about the frame that is shown, or the range that is marked, and the selected
          element. An assistant reads it by vid mcp.
        </p>
      )}
      <ul class="cards">
        {openComments.value.map((comment) => (
          <CommentCard key={comment.id} comment={comment} />
        ))}
      </ul>
      {done.length > 0 && (
        <details>
          <summary>{done.length} done</summary>
          <ul class="cards">
            {done.map((comment) => (
              <CommentCard key={comment.id} comment={comment} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
