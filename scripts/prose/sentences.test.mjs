import { expect, test } from 'vitest'
import { longSentences, longSentencesOfPage, MAX_WORDS } from './sentences.mjs'

const words = (count) => Array.from({ length: count }, () => 'word').join(' ')

test('a sentence of the limit passes, and one more word does not', () => {
  expect(longSentences(`${words(MAX_WORDS)}. ${words(MAX_WORDS)}.`.replaceAll('. w', '. W'))).toEqual([])
  expect(longSentences(`One. ${words(MAX_WORDS + 1)}.`.replace('. w', '. W'))).toHaveLength(1)
})

test('code counts as one word, and a page is read by items, cells and paragraphs', () => {
  const code = `Run \`${words(50)}\` now.`
  const items = `- ${words(30)}\n- ${words(30)}\n\n| ${words(30)} | ${words(30)} |\n`
  const block = `\`\`\`sh\n${words(50)}\n\`\`\`\n`
  expect(longSentencesOfPage(`${code}\n\n${items}\n${block}`)).toEqual([])
  expect(longSentencesOfPage(`# Title\n\n${words(25)}\n${words(25)}\n`)).toHaveLength(1)
})
