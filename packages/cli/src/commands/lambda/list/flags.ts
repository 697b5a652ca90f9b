import type { FlagTable } from '../../../flags/flag.ts'
import { outputFlags, placeFlags } from '../../../lambda/flags.ts'

const { 'state-machine': stateMachine, stack, region } = placeFlags

/** Every flag of `vid lambda list`. */
export const lambdaListFlags = {
  status: {
    kind: 'choice',
    choices: ['running', 'succeeded', 'failed', 'timed-out', 'aborted'],
    about: 'only renders of this status',
    default: 'any',
  },
  limit: { kind: 'integer', min: 1, max: 10_000, about: 'renders to list at most', default: '20' },
  all: { kind: 'switch', about: 'all renders of the last 90 days' },
  'state-machine': stateMachine,
  stack,
  region,
  ...outputFlags,
} as const satisfies FlagTable

/** Pairs of flags that contradict each other. */
export const lambdaListConflicts = [['all', 'limit']] as const
