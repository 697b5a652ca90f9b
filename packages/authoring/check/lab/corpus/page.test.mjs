import { expect, test } from 'vitest'
import { figuresTable, pageWith, readPage, readResults, withRows } from './page.mjs'

const results = {
  vid: { text: { entries: 4, hits: 3, alarms: 1 }, unseen: { entries: 2, hits: 1, alarms: 0 } },
  peer: { text: { entries: 2, hits: 1, alarms: 0 } },
}

test('the page has the figures that the last runs have kept', () => {
  expect(readPage()).toContain('<!-- figures -->')
  expect(pageWith(readPage(), readResults())).toBe(readPage())
})

test('groups are summed up without those that stand apart, and what was not run says so', () => {
  const lines = figuresTable(results).split('\n')
  expect(lines[2]).toMatch(/^\| text +\| 3 of 4 +\| 1 of 4 +\| 1 of 2 +\| 0 of 2 +\|$/)
  expect(lines[3]).toMatch(/^\| all +\| 3 of 4 +\| 1 of 4 +\|/)
  expect(lines[4]).toMatch(/^\| unseen +\| 1 of 2 +\| 0 of 2 +\| not run +\| not run +\|$/)
})

test('a run of one group replaces its figures alone', () => {
  const row = { group: 'text', entries: 4, hits: 4, alarms: 0, recall: 100, falseAlarms: 0 }
  expect(withRows(results, 'vid', [row])).toEqual({
    ...results,
    vid: { ...results.vid, text: { entries: 4, hits: 4, alarms: 0 } },
  })
})
