import { readFileSync } from 'node:fs'
import { CHECK_GLOBAL, type PageCheck } from './page-report.ts'

let script: string | undefined

/** What examines a page, as an expression for it. */
export const examinerScript = (): string => {
  script ??= readFileSync(new URL('../dist/page.js', import.meta.url), 'utf8')
  return script
}

/** An expression that calls it. */
export const pageCall = <M extends keyof PageCheck>(method: M, ...values: Parameters<PageCheck[M]>): string =>
  `${CHECK_GLOBAL}.${method}(${values.map((value) => JSON.stringify(value)).join(', ')})`
