import type { CommandTool } from '@vid/command'

/** How much of a result an answer shows. */
export interface AnswerOptions {
  /** Items of lists before the first shown one. */
  readonly offset: number
  /** Items of each list. */
  readonly limit: number
  /** Characters of the whole answer. */
  readonly budget: number
  /** Pictures that are shown. */
  readonly pictures: number
}

/** What an answer is by default. */
export const DEFAULTS: AnswerOptions = { offset: 0, limit: 20, budget: 6000, pictures: 1 }

const integer = (minimum: number, maximum: number, standard: number) => ({
  type: 'integer',
  minimum,
  maximum,
  default: standard,
})

/** The arguments of a tool that are about its answer; the server says once what they mean. */
export const answerFields = ({ lists = [], pictures }: CommandTool): Readonly<Record<string, object>> => ({
  ...(lists.length > 0 && {
    offset: integer(0, 1_000_000, DEFAULTS.offset),
    limit: integer(1, 500, DEFAULTS.limit),
  }),
  budget: integer(1000, 50_000, DEFAULTS.budget),
  ...(pictures && { pictures: integer(0, 4, DEFAULTS.pictures) }),
})

/** The arguments of a call that are about its answer, and those that are about its command. */
export const splitArguments = (
  values: Readonly<Record<string, unknown>>,
  facts: CommandTool,
): { readonly answer: AnswerOptions; readonly rest: Readonly<Record<string, unknown>> } => {
  const names = Object.keys(answerFields(facts))
  const chosen = Object.entries(values).filter(([name]) => names.includes(name))
  return {
    answer: { ...DEFAULTS, ...Object.fromEntries(chosen) },
    rest: Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))),
  }
}
