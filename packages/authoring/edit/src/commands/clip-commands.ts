import type { AnyCommand } from '@vid/command'
import { fail } from '../errors.ts'
import { operationCommand } from './operation-command.ts'
import { readNumberWord, readSeconds, readShift, readTarget } from './words.ts'

const target = { name: 'target' } as const

const idOption = {
  id: {
    kind: 'text',
    rule: 'an id',
    pattern: /^\S+$/,
    about: 'DOM id of the copy',
    default: 'the old one with a number',
  },
} as const

const oneOf = (word: string, choices: readonly string[]): string => {
  if (choices.includes(word)) return word
  throw fail('VID_EDIT_OPERATION', { index: 0, problems: [`"${word}" is none of ${choices.join(', ')}`] })
}

/** The commands about clips: when they are shown, and in which order. */
export const clipCommands: readonly AnyCommand[] = [
  operationCommand({
    name: 'move',
    summary: 'Move a clip to another time.',
    details:
      'Clips that start after it, clips inside of it and the GSAP animations of its elements move along. Times are those of the composition that the clip stands in.',
    arguments: [target, { name: 'time' }],
    examples: [
      ['Half a second later', "vid edit move '#title' +0.5s"],
      ['To the second 3, and see it first', "vid edit move '#title' 3s --dry-run"],
    ],
    operations: async ({ arguments: { target = '', time = '' } }, edit) => [
      { op: 'move', target: await readTarget(edit, target), ...readShift(time) },
    ],
  }),
  operationCommand({
    name: 'trim',
    summary: 'Move one edge of a clip.',
    details:
      'At the start, a video or a sound begins later in its source too. The end of the root is the length of the composition.',
    arguments: [target, { name: 'edge' }, { name: 'time' }],
    examples: [
      ['Begin half a second later', "vid edit trim '#talk' start +0.5s"],
      ['End at the second 8', "vid edit trim '#talk' end 8s"],
    ],
    operations: async ({ arguments: { target = '', edge = '', time = '' } }, edit) => [
      { op: 'trim', target: await readTarget(edit, target), edge: oneOf(edge, ['start', 'end']), ...readShift(time) },
    ],
  }),
  operationCommand({
    name: 'split',
    summary: 'Split a clip in two.',
    details:
      'The second part is a copy with ids of its own, which the rules that style the first by its id style as well.',
    arguments: [target, { name: 'time' }],
    options: idOption,
    examples: [['At the second 2.5', "vid edit split '#talk' 2.5s"]],
    operations: async ({ arguments: { target = '', time = '' }, options: { id } }, edit) => [
      { op: 'split', target: await readTarget(edit, target), at: readSeconds(time), ...(id !== undefined && { id }) },
    ],
  }),
  operationCommand({
    name: 'duplicate',
    summary: 'Copy a clip.',
    details: 'The copy starts where the clip ends, or at a time; on another track where its own is taken then.',
    arguments: [target, { name: 'time', isOptional: true }],
    options: idOption,
    examples: [['Once more, at the second 6', "vid edit duplicate '#title' 6s --id title-again"]],
    operations: async ({ arguments: { target = '', time }, options: { id } }, edit) => [
      {
        op: 'duplicate',
        target: await readTarget(edit, target),
        ...(time !== undefined && { at: readSeconds(time) }),
        ...(id !== undefined && { id }),
      },
    ],
  }),
  operationCommand({
    name: 'remove',
    summary: 'Remove an element.',
    details: 'Clips that start after it keep their times.',
    arguments: [target],
    examples: [['The title', "vid edit remove '#title'"]],
    operations: async ({ arguments: { target = '' } }, edit) => [
      { op: 'remove', target: await readTarget(edit, target) },
    ],
  }),
  operationCommand({
    name: 'order',
    summary: 'Draw an element in front of its siblings, or behind them.',
    arguments: [target, { name: 'place' }],
    examples: [
      ['In front of all', "vid edit order '#title' front"],
      ['Behind the next one', "vid edit order '#title' backward"],
    ],
    operations: async ({ arguments: { target = '', place = '' } }, edit) => [
      {
        op: 'order',
        target: await readTarget(edit, target),
        to: oneOf(place, ['front', 'back', 'forward', 'backward']),
      },
    ],
  }),
  operationCommand({
    name: 'track',
    summary: 'Put a clip on another track.',
    arguments: [target, { name: 'number' }],
    examples: [['On track 3', "vid edit track '#title' 3"]],
    operations: async ({ arguments: { target = '', number = '' } }, edit) => [
      { op: 'track', target: await readTarget(edit, target), track: readNumberWord(number, 'whole number') },
    ],
  }),
]
