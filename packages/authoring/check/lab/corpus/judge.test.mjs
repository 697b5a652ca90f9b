import { expect, test } from 'vitest'
import { judge, totals } from './judge.mjs'

const entry = { name: 'text/name', group: 'text', rule: 'text-cut', elements: ['#name'], from: 1, to: 2 }
const finding = { rule: 'text-cut', level: 'error', from: 1, to: 2, where: { element: '#name' }, message: '' }
const missOf = (...wrong) => judge(entry, { wrong, right: [] }).miss

test('a finding fits by rule, element and interval, give or take three frames', () => {
  expect(missOf(finding)).toBe(null)
  expect(missOf({ ...finding, from: 0.9, to: 2.1, level: 'warning' })).toBe(null)
  expect(missOf({ ...finding, rule: 'text-small' })).toBe('not reported')
  expect(missOf({ ...finding, level: 'note' })).toBe('not reported')
  expect(missOf({ ...finding, where: { element: '#name-2' } })).toBe('other element: #name-2')
  expect(missOf({ ...finding, where: { element: null } })).toBe('other element: none')
  expect(missOf({ ...finding, from: 0, to: 6 })).toBe('other interval: 0 to 6')
  expect(missOf({ ...finding, from: 1, to: 1.2 })).toBe('other interval: 1 to 1.2')
})

test('one finding of several is enough, and an entry without an element takes any', () => {
  expect(missOf({ ...finding, rule: 'contrast' }, finding)).toBe(null)
  const whole = { ...entry, elements: [] }
  expect(judge(whole, { wrong: [{ ...finding, where: { element: null } }], right: [] }).miss).toBe(null)
})

test('recall and false alarms are counted by group and in all', () => {
  const other = { ...entry, name: 'sound/beep', group: 'sound' }
  const verdicts = [
    judge(entry, { wrong: [finding], right: [] }),
    judge(entry, { wrong: [], right: [{ ...finding, rule: 'contrast' }] }),
    judge(other, { wrong: [finding], right: [{ ...finding, level: 'note' }] }),
  ]
  expect(totals(verdicts)).toEqual([
    { group: 'text', entries: 2, hits: 1, alarms: 1, recall: 50, falseAlarms: 50 },
    { group: 'sound', entries: 1, hits: 1, alarms: 0, recall: 100, falseAlarms: 0 },
    expect.objectContaining({ group: 'all', entries: 3, recall: (100 * 2) / 3, falseAlarms: 100 / 3 }),
  ])
})
