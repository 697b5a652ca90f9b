import { useLayoutEffect, useRef } from 'preact/hooks'
import { changeElement, type ElementRead, inspection, type Subject, textOfElement } from '../edit/inspection.ts'
import { fieldIsOpen, stopTyping, typing } from '../edit/typing.ts'
import type { Rect } from '../model/placement.ts'
import { statedStyle } from '../model/style-fields.ts'
import { tell } from '../state/notices.ts'
import { scale } from '../state/view.ts'

/** Stages a text for an element, unless it is its text already. */
const commit = (subject: Subject, text: string) =>
  void changeElement(subject, (facts) => {
    if (facts.text.reason) tell(facts.text.reason, true)
    return facts.text.reason || text === textOfElement(facts) ? [] : [{ op: 'text', text }]
  })

/** How the source writes a text, at the size of the picture. */
const fontOf = ({ styles }: ElementRead) => {
  const stated = (property: string) => statedStyle(styles, property)?.value
  const size = Number.parseFloat(stated('font-size') ?? '')
  return {
    ...(Number.isFinite(size) && { fontSize: `max(13px, ${size * scale.value}px)` }),
    fontWeight: stated('font-weight'),
    textAlign: stated('text-align'),
  }
}

/** The text of an element, over it: the field is there at once, and has the text as soon as that is read. */
export const TextInPlace = ({ rect, subject }: { readonly rect: Rect; readonly subject: Subject }) => {
  const field = useRef<HTMLTextAreaElement>(null)
  const isTyped = useRef(false)
  const facts = inspection.value
  const close = () => {
    if (typing.peek()?.key === subject.key) stopTyping()
  }
  const end = (text: string) => {
    close()
    if (isTyped.current) commit(facts?.subject ?? subject, text)
    isTyped.current = false
  }
  useLayoutEffect(() => {
    const area = field.current
    area?.focus()
    fieldIsOpen()
    // Where another element is selected meanwhile, what was typed is still for this one.
    return () => end(area?.value ?? '')
  }, [])
  useLayoutEffect(() => {
    const area = field.current
    if (!facts || !area || isTyped.current) return
    if (facts.text.reason) {
      tell(facts.text.reason, true)
      return close()
    }
    area.value = textOfElement(facts)
    // Before the next key: what is typed replaces the text.
    area.select()
  }, [facts !== null])
  const { x, y, width, height } = rect
  const size = {
    left: `${x * scale.value}px`,
    top: `${y * scale.value}px`,
    width: `calc(max(160px, ${width * scale.value}px) + 24px)`,
    height: `max(32px, ${height * scale.value}px)`,
  }
  return (
    <textarea
      ref={field}
      class="text-in-place"
      aria-label="Text of the selected element"
      style={{ ...size, ...(facts && fontOf(facts)) }}
      onInput={() => {
        isTyped.current = true
      }}
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={({ currentTarget }) => end(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey) end(event.currentTarget.value)
        if (event.key !== 'Escape') return
        event.preventDefault()
        isTyped.current = false
        close()
      }}
    />
  )
}
