/** What two captures of a frame by slower lanes say of its page. */
export interface Repetition {
  /** The interfaces that the page uses and that follow the real clock, as far as they are known. */
  readonly clocks: readonly string[]
  /** How the page moves without its clock; undefined if all captures are alike. */
  readonly moves?: 'while held' | 'between captures'
}
