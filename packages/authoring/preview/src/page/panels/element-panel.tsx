import { Fragment } from 'preact'
import {
  changeElement,
  type ElementRead,
  inspectError,
  inspection,
  type Part,
  picked,
  textOfElement,
} from '../edit/inspection.ts'
import { STYLE_FIELDS, type StyleField, statedStyle, statedValue, styleValue } from '../model/style-fields.ts'
import { PlaceButton } from '../parts/place-button.tsx'
import { selectedClips } from '../state/timeline.ts'
import { SoundPart } from './sound-part.tsx'
import { SourceField, withNumber } from './source-field.tsx'

type ElementProps = { readonly facts: ElementRead }

/** Changes the element that a field is of. */
const change = ({ subject }: ElementRead, part: Part) => void changeElement(subject, () => [part])

/** Ends an element after a length, counted from where it then starts. */
const changeLength = ({ subject }: ElementRead, length: number) =>
  void changeElement(subject, ({ clip }) => [{ op: 'trim', edge: 'end', to: (clip?.start ?? 0) + length }])

const seconds = (value: number | null) => (value === null ? '' : String(Number(value.toFixed(3))))

const Timing = ({ facts }: ElementProps) => {
  const { clip } = facts
  if (!clip) return null
  const { start, end, track, written } = clip
  const isRelative = !/^[\d.]*$/.test(written.trim())
  return (
    <section class="section">
      <h3>Timing</h3>
      <div class="source-fields">
        <SourceField
          label="Start"
          value={seconds(start)}
          unit="s"
          note={isRelative ? `Written as ${written}` : undefined}
          reason={start === null ? 'Only the page knows when it starts.' : undefined}
          onCommit={withNumber((to) => change(facts, { op: 'move', to }))}
        />
        <SourceField
          label="End"
          value={seconds(end)}
          unit="s"
          reason={end === null ? 'It ends with what it plays.' : undefined}
          onCommit={withNumber((to) => change(facts, { op: 'trim', edge: 'end', to }))}
        />
        <SourceField
          label="Length"
          value={start === null || end === null ? '' : seconds(end - start)}
          unit="s"
          reason={start === null || end === null ? 'It is as long as what it plays.' : undefined}
          onCommit={withNumber((length) => changeLength(facts, length))}
        />
        <SourceField
          label="Track"
          value={String(track)}
          onCommit={withNumber((value) => change(facts, { op: 'track', track: Math.round(value) }))}
        />
      </div>
    </section>
  )
}

const TextPart = ({ facts }: ElementProps) => {
  const { text } = facts
  const shown = textOfElement(facts)
  if (text.value === '' && text.reason !== null) return null
  const { variable, reason } = text
  return (
    <section class="section">
      <h3>
        <label for="element-text">Text</label>
      </h3>
      <textarea
        id="element-text"
        key={shown}
        rows={2}
        disabled={reason !== null}
        defaultValue={shown}
        onChange={({ currentTarget: { value } }) => change(facts, { op: 'text', text: value })}
      />
      {variable !== null && <p class="quiet">It shows the variable “{variable}”, whose default is changed.</p>}
      {reason !== null && <p class="quiet">{reason}</p>}
    </section>
  )
}

const StyleProperty = ({ facts, field }: ElementProps & { readonly field: StyleField }) => {
  const { property, label, kind } = field
  const stated = statedStyle(facts.styles, property)
  const isOther = stated !== undefined && stated.property !== property
  const note = stated && `${stated.from}, ${stated.file}:${stated.line}`
  return (
    <SourceField
      label={label}
      value={stated ? statedValue(stated, property) : ''}
      isColour={kind === 'colour'}
      note={isOther ? `${stated.property} of ${note}` : note}
      onCommit={(text) => {
        change(facts, { op: 'style', property, value: styleValue(field, text) })
        return true
      }}
    />
  )
}

const Styles = ({ facts }: ElementProps) => (
  <>
    {Object.entries(STYLE_FIELDS).map(([title, fields]) => (
      <section class="section" key={title}>
        <h3>{title}</h3>
        <div class="source-fields">
          {fields.map((field) => (
            <StyleProperty key={field.property} facts={facts} field={field} />
          ))}
        </div>
      </section>
    ))}
  </>
)

/** What to know of the element before it is changed. */
const Notes = ({ facts: { instances, locked, scripts } }: ElementProps) => (
  <>
    {locked !== null && <p class="note-text">Its file cannot be written: {locked}</p>}
    {instances > 1 && <p class="note-text">Its file is shown {instances} times; a change shows in each.</p>}
    {scripts.length > 0 && (
      <div class="quiet">
        <p>Scripts that name it; what they set when the page runs wins:</p>
        {scripts.slice(0, 5).map(({ file, line }) => (
          <PlaceButton key={`${file}:${line}`} file={file} line={line} />
        ))}
      </div>
    )}
  </>
)

/** The selected element: what the sources hold of it, to be changed. */
export const ElementPanel = () => {
  const facts = inspection.value
  const count = selectedClips.value.length
  return (
    <>
      <h2 class="hidden">Element</h2>
      {!facts && inspectError.value && <p class="note-text">{inspectError.value}</p>}
      {!facts && !inspectError.value && (
        <p class="quiet">Select a clip on the timeline, or an element on the picture, to change it here.</p>
      )}
      {facts && (
        // Fields of one element each: what was typed for another one is not theirs.
        <Fragment key={facts.subject.key}>
          <div class="element-head">
            <code>{facts.element}</code>
            <PlaceButton file={facts.address.file} line={facts.line} />
            {count > 1 && picked.value === null && <span class="quiet">The last of {count} selected clips.</span>}
          </div>
          <Notes facts={facts} />
          <Timing facts={facts} />
          <TextPart facts={facts} />
          {facts.tag !== 'audio' && <Styles facts={facts} />}
          <SoundPart facts={facts} />
          <p class="quiet">The source does not state what is dashed.</p>
        </Fragment>
      )}
    </>
  )
}
