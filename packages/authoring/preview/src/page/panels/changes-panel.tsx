import { drop, editError, isEditing, resolve } from '../edit/edit-session.ts'
import { unifiedDiffLines } from '../model/diff-lines.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { edit } from '../state/staged.ts'
import { ChangedText } from './changed-text.tsx'

type EditState = NonNullable<typeof edit.value>

const Conflict = () => {
  const conflict = edit.value?.conflict
  if (!conflict) return null
  return (
    <div class="card problem warning" role="alert">
      <strong>Another program has changed the same lines</strong>
      <p>{conflict.message}</p>
      <p class="quiet">
        “Keep mine” makes the staged changes again on the new file; “Drop mine” shows the file as it is.
      </p>
      <div class="row">
        <button type="button" class="button" disabled={isEditing.value} onClick={() => void resolve('mine')}>
          Keep mine
        </button>
        <button type="button" class="button" disabled={isEditing.value} onClick={() => void resolve('theirs')}>
          Drop mine
        </button>
      </div>
    </div>
  )
}

/** What one staged call does, what moves along, and what to know before it is written. */
const StepCard = ({
  step,
  who,
  index: place,
}: {
  readonly step: EditState['steps'][number]
  readonly who: EditState['authors'][number] | undefined
  readonly index: number
}) => (
  <li class="card change">
    <div class="row step-head">
      <span class="quiet">{who?.kind === 'assistant' ? who.name : 'You'}</span>
      <button
        type="button"
        class="button small"
        aria-label={`Drop change ${place + 1}`}
        disabled={isEditing.value}
        onClick={() => void drop(place)}
      >
        Drop
      </button>
    </div>
    {step.changes.map(({ file, line, text }, index) => (
      <p key={index}>
        {text} <PlaceButton file={file} line={line} />
      </p>
    ))}
    {step.follows.map(({ file, line, text }, index) => (
      <p key={index} class="quiet">
        ↳ {text} <PlaceButton file={file} line={line} />
      </p>
    ))}
    {step.notes.map(({ file, line, text }, index) => (
      <p key={index} class="note-text">
        {text} <PlaceButton file={file} line={line} />
      </p>
    ))}
  </li>
)

const Diff = ({ diff }: { readonly diff: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
  <section class="diff" aria-label="Difference of the files" tabIndex={0}>
    {unifiedDiffLines(diff).map(({ kind, text }, index) => (
      <div key={index} class={kind}>
        {text}
      </div>
    ))}
  </section>
)

/** What is staged: what it changes, what to know of it, and the difference of the files. */
export const ChangesPanel = () => {
  const { steps = [], authors = [], diff = '' } = edit.value ?? {}
  return (
    <>
      <h2 class="hidden">Changes</h2>
      {editError.value && <p class="error-text">{editError.value}</p>}
      <Conflict />
      {steps.length === 0 && (
        <p class="quiet">
          Nothing is staged. Drag a clip or its edges on the timeline, or change the selected element: the picture
          follows, and the files stay as they are until you write.
        </p>
      )}
      {steps.length > 0 && (
        <ol class="cards">
          {steps.map((step, index) => (
            <StepCard key={index} step={step} who={authors[index]} index={index} />
          ))}
        </ol>
      )}
      <ChangedText />
      {diff && <Diff diff={diff} />}
    </>
  )
}
