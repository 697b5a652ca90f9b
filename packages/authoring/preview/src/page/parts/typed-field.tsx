import { useState } from 'preact/hooks'

/** What a field with its own text is. */
export interface TypedFieldProps {
  readonly name: string
  readonly value: string
  /** Takes what was typed; false when it means nothing. */
  readonly onCommit: (text: string) => boolean
  /** CSS pixels; a longer text has the room that it takes. */
  readonly width: number
  /** Characters of the longest value. */
  readonly longest: number
  readonly hint: string
}

/** A field that shows a value, and takes another one at Enter or when it is left. */
export const TypedField = ({ name, value, onCommit, width, longest, hint }: TypedFieldProps) => {
  const [text, setText] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const commit = (input: HTMLInputElement) => {
    if (text === null || text === value) return setText(null)
    const isTaken = onCommit(input.value)
    setWrong(!isTaken)
    if (isTaken) setText(null)
  }
  const reset = () => {
    setText(null)
    setWrong(false)
  }
  return (
    <input
      type="text"
      class="typed-field"
      style={{ width: `max(${width}px, ${longest}ch + 22px)` }}
      aria-label={name}
      aria-invalid={isWrong}
      title={hint}
      autocomplete="off"
      spellcheck={false}
      value={text ?? value}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        setWrong(false)
      }}
      onBlur={({ currentTarget }) => {
        commit(currentTarget)
        reset()
      }}
      onKeyDown={(event) => {
        const { key, currentTarget } = event
        if (key === 'Escape') {
          event.preventDefault()
          reset()
          currentTarget.blur()
        }
        if (key === 'Enter') commit(currentTarget)
      }}
    />
  )
}
