import { useId, useState } from 'preact/hooks'

/** A value that the source holds, or could hold. */
export interface SourceFieldProps {
  readonly label: string
  /** As the source states it; empty where it does not. */
  readonly value: string
  readonly unit?: string
  /** Where it is stated. */
  readonly note?: string | undefined
  /** Why it cannot be changed. */
  readonly reason?: string | undefined
  readonly isColour?: boolean
  /** Takes what was typed; false when it means nothing. */
  readonly onCommit: (text: string) => boolean
}

const numberOf = (text: string): number | undefined => {
  const value = Number(text.trim().replace(',', '.').replace(/s$/, ''))
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value
}

/** Stages a change with the number that was typed; false for a text that is none. */
export const withNumber = (use: (value: number) => void) => (text: string) => {
  const value = numberOf(text)
  if (value !== undefined) use(value)
  return value !== undefined
}

/** A field of the inspector, which takes a value at Enter or when it is left. */
export const SourceField = ({ label, value, unit, note, reason, isColour, onCommit }: SourceFieldProps) => {
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const reset = () => {
    setText(null)
    setWrong(false)
  }
  const commit = () => {
    if (text === null || text.trim() === value) return reset()
    if (onCommit(text)) reset()
    else setWrong(true)
  }
  return (
    <div class={value === '' ? 'source-field absent' : 'source-field'} title={reason ?? note}>
      <label for={id}>{label}</label>
      <span class="source-value">
        {isColour && /^#[\da-f]{6}$/i.test(value) && (
          <input
            type="color"
            aria-label={`${label}, colour field`}
            value={value}
            onChange={({ currentTarget }) => onCommit(currentTarget.value)}
          />
        )}
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="–"
          disabled={reason !== undefined}
          aria-invalid={isWrong}
          value={text ?? value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setWrong(false)
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key !== 'Escape') return
            // The field alone: the selection stays.
            event.preventDefault()
            reset()
            event.currentTarget.blur()
          }}
        />
        {unit && <span class="quiet">{unit}</span>}
      </span>
      {(reason ?? note) && <span class="source-note">{reason ?? note}</span>}
    </div>
  )
}
