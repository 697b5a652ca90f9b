import type { Element } from '@vid/core/source-model'

/** An attribute with another value; null removes it. */
export interface AttributeEdit {
  readonly kind: 'attribute'
  readonly element: Element
  readonly name: string
  readonly value: string | null
}

/** A part of an attribute's value, by offsets in the file. */
export interface ValueEdit {
  readonly kind: 'value'
  readonly element: Element
  readonly name: string
  /** The whole value after the edit. */
  readonly value: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Another text in an element; line ends become `<br>` where the element has some. */
export interface TextEdit {
  readonly kind: 'text'
  readonly element: Element
  readonly text: string
}

/** Characters of a `<style>` or `<script>` by offsets in the file; `element` is null in a file of its own. */
export interface RawEdit {
  readonly kind: 'raw'
  readonly element: Element | null
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An element goes, with the line that it leaves empty. */
export interface RemoveEdit {
  readonly kind: 'remove'
  readonly element: Element
}

/** A copy comes after an element, itself with edits. */
export interface CopyEdit {
  readonly kind: 'copy'
  readonly element: Element
  /** Of the element and those inside it. */
  readonly edits: readonly AttributeEdit[]
}

/** Markup comes beside an element, on a line of its own where that has one, or as it is at the end of its content. */
export interface InsertEdit {
  readonly kind: 'insert'
  readonly element: Element
  readonly side: 'before' | 'after' | 'end'
  readonly markup: string
}

/** An element moves among its siblings. */
export interface RelocateEdit {
  readonly kind: 'relocate'
  readonly element: Element
  readonly sibling: Element
  readonly side: 'before' | 'after'
}

/** One change of a file. */
export type SourceEdit =
  | AttributeEdit
  | ValueEdit
  | TextEdit
  | RawEdit
  | RemoveEdit
  | CopyEdit
  | InsertEdit
  | RelocateEdit
