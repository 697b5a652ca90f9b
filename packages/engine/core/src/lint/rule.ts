import type { LintProject } from './project/project.ts'

/** An error breaks the video, a warning reports a likely mistake. */
export type Severity = 'error' | 'warning'

/** A place that violates a rule. */
export interface Spot {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** CSS selector of the element, or of the style rule; null for scripts. */
  readonly selector: string | null
  readonly message: string
  /** Instead of the rule's own. */
  readonly hint?: string
  /** Instead of the rule's own. */
  readonly severity?: Severity
}

/** Files of a small project by path; `index.html` is its entry. */
export type ExampleProject = Readonly<Record<string, string>>

/** One rule, as data: its check, and the text of its page. */
export interface LintRule {
  /** Such as `no-root`; its findings have the code `lint/no-root`, its page is `docs/lint/no-root.md`. */
  readonly name: string
  readonly severity: Severity
  /** The code that it reports, in one sentence. */
  readonly what: string
  /** The consequence for the video, in one or two sentences. */
  readonly why: string
  readonly hint: string
  /** Has exactly one finding, of this rule. */
  readonly bad: ExampleProject
  /** Has no finding. */
  readonly good: ExampleProject
  check(project: LintProject): Iterable<Spot>
}

/** A finding for users. */
export interface Finding extends Required<Spot> {
  /** `lint/` and the rule's name. */
  readonly code: string
}
