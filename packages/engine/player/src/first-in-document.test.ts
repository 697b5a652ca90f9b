import { expect, test } from 'vitest'
import { insertFirst } from './first-in-document.ts'
import { PREPARED_MARK } from './prepared-mark.ts'

test.each([
  ['<!doctype html>\n<html><head>', '<!doctype html>\n'],
  ['<!-- by hand -->\n<!DOCTYPE html>\n<p>', '<!-- by hand -->\n<!DOCTYPE html>\n'],
  ['\uFEFF<!doctype html><p>', '\uFEFF<!doctype html>'],
  ['<div>', ''],
  ['<!-- <!doctype html> --><div>', '<!-- <!doctype html> -->'],
])('the script stands before all elements of %j, and after what decides how a page is laid out', (html, before) => {
  const prepared = insertFirst(html, 'run();')
  expect(prepared.startsWith(`${before}${PREPARED_MARK}run();`)).toBe(true)
  expect(prepared.split('\n')).toHaveLength(html.split('\n').length)
  expect(prepared.endsWith(html.slice(before.length))).toBe(true)
})
