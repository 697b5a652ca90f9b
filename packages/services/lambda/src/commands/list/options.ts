import { type OptionTable, outputOptions } from '@vid/command'
import { stackPlaceOptions } from '../shared/options.ts'

const { 'state-machine': stateMachine, stack, region } = stackPlaceOptions

/** Every option of `vid lambda list`. */
export const lambdaListOptions = {
  status: {
    kind: 'choice',
    choices: ['running', 'succeeded', 'failed', 'timed-out', 'aborted'],
    about: 'only renders of this status',
    default: 'any',
  },
  limit: { kind: 'integer', min: 1, max: 10_000, about: 'maximum number of renders', default: '20' },
  all: { kind: 'switch', about: 'all renders of the last 90 days' },
  'state-machine': stateMachine,
  stack,
  region,
  ...outputOptions,
} as const satisfies OptionTable

/** Pairs of options that contradict each other. */
export const lambdaListConflicts = [['all', 'limit']] as const
