import { type AnyCommand, defineCommand, type OptionTable, renderOptions } from '@vid/command'
import { editPlaceOptions } from './options.ts'

const id = { name: 'id' } as const

const listOptions = {
  all: { kind: 'switch', about: 'also comments that are done' },
  ...editPlaceOptions,
} as const satisfies OptionTable

const listCommand = defineCommand({
  path: 'comments list',
  summary: 'List the comments on a composition, and what its open preview shows.',
  details:
    'Comments are about a time, and perhaps an element: "target" names it for vid edit. Of an open preview: the time, the selected element, and what is staged, by whom.',
  options: listOptions,
  examples: [['What is to be done here', 'vid comments list']],
  tool: {
    name: 'preview',
    title: 'Read comments and the open preview',
    effect: 'reads',
    without: ['as'],
    lists: ['comments'],
  },
  run: async (run) => (await import('./run-comments.ts')).runList(run),
  text: async (result, { cwd }) => (await import('./comment-text.ts')).commentListText(result, cwd),
})

const addOptions = {
  at: { kind: 'text', rule: 'a time', about: 'time that it is about', default: '0' },
  to: { kind: 'text', rule: 'a time', about: 'end of the range that it is about' },
  element: { kind: 'text', rule: 'an element, as vid edit names it', about: 'element that it is about' },
  composition: renderOptions.composition,
  ...editPlaceOptions,
} as const satisfies OptionTable

const addCommand = defineCommand({
  path: 'comments add',
  summary: 'Write a comment on a time of a composition.',
  arguments: [{ name: 'text' }],
  options: addOptions,
  examples: [
    ['On an element', "vid comments add 'Larger, please' --at 2s --element '#title'"],
    ['On a range', "vid comments add 'Too fast' --at 2s --to 4.5s"],
  ],
  run: async (run) => (await import('./run-comments.ts')).runAdd(run),
  text: async ({ comment }) => (await import('./comment-text.ts')).changedText(comment, 'written'),
})

const answerOptions = {
  resolve: { kind: 'switch', about: 'mark the comment as done' },
  ...editPlaceOptions,
} as const satisfies OptionTable

const answerCommand = defineCommand({
  path: 'comments answer',
  summary: 'Answer a comment, and mark it as done where it is.',
  arguments: [id, { name: 'text' }],
  options: answerOptions,
  examples: [['Done', "vid comments answer 3 'It is 96 px now' --resolve"]],
  tool: { name: 'comment_answer', title: 'Answer a comment', effect: 'changes', author: 'as' },
  run: async (run) => (await import('./run-comments.ts')).runAnswer(run),
  text: async ({ comment }) => (await import('./comment-text.ts')).changedText(comment, 'answered'),
})

const resolveOptions = {
  reopen: { kind: 'switch', about: 'open it again' },
  ...editPlaceOptions,
} as const satisfies OptionTable

const resolveCommand = defineCommand({
  path: 'comments resolve',
  summary: 'Mark a comment as done.',
  arguments: [id],
  options: resolveOptions,
  examples: [
    ['Comment 3', 'vid comments resolve 3'],
    ['It was not done', 'vid comments resolve 3 --reopen'],
  ],
  run: async (run) => (await import('./run-comments.ts')).runResolve(run),
  text: async ({ comment }) =>
    (await import('./comment-text.ts')).changedText(comment, comment.resolved ? 'done' : 'open'),
})

/** The commands about comments. */
export const commentCommands: readonly AnyCommand[] = [listCommand, addCommand, answerCommand, resolveCommand]
