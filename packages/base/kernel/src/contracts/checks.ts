import type { CompositionBox, CompositionFacts, CompositionFrames } from './composition-facts.ts'

/** How much a finding matters: an error fails the check. */
export type CheckLevel = 'error' | 'warning' | 'note'

/** How sure a finding is: measured, likely by what was measured, or a matter of taste. */
export type Certainty = 'certain' | 'likely' | 'possible'

/** An operation of `vid edit` that mends what a check found, without the element that it changes. */
export interface SpotMend {
  readonly op: string
  /** Position in `CompositionFacts.elements`; left out, that of the spot. */
  readonly element?: number
  readonly [field: string]: string | number | undefined
}

/** One thing that a check found. */
export interface CheckSpot {
  readonly frames: CompositionFrames
  /** Position in `CompositionFacts.elements`. */
  readonly element?: number | null
  readonly box?: CompositionBox | null
  /** Where it stands in the source, when no element says so. */
  readonly file?: string
  readonly line?: number
  /** A sentence with the values. */
  readonly message: string
  /** What to do; left out, that of the check. */
  readonly hint?: string
  /** The values by name. */
  readonly figures?: Readonly<Record<string, number | string>>
  /** Left out, it is certain. */
  readonly certainty?: Certainty
  /** Operations that mend it together; left out where a person has to choose. */
  readonly mend?: readonly SpotMend[]
}

/** Looks for one kind of mistake in a composition. */
export interface CheckDefinition<O> {
  /** Name of its findings, in lower-case words joined by hyphens: what a config, an attribute and `--skip` call it. */
  readonly rule: string
  readonly level: CheckLevel
  /** What it finds, in a sentence. */
  readonly what: string
  /** Why that matters. */
  readonly why: string
  /** What to do. */
  readonly hint: string
  /** Finds it; changes nothing, and depends on these facts and options alone. */
  check(facts: CompositionFacts, options: O): Iterable<CheckSpot>
}
