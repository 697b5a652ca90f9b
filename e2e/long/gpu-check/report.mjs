// The report of a check, which grows in its file while it is printed.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Starts a report in a file, in Markdown; what is written so far stays when the check is ended. */
export const openReport = (file) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  const write = (text) => {
    console.log(text)
    appendFileSync(file, `${text}\n`)
  }
  return {
    file,
    heading: (text) => write(`\n## ${text}\n`),
    fact: (name, value) => write(`- ${name}: ${value}`),
    /** Rows of one shape. */
    table(rows) {
      const names = Object.keys(rows[0])
      write(`\n| ${names.join(' | ')} |\n|${names.map(() => ' --- |').join('')}`)
      for (const row of rows) write(`| ${names.map((name) => row[name]).join(' | ')} |`)
    },
    /** What a program has said, as it is. */
    output: (text) => write(`\n\`\`\`\n${text.trim() || '(nothing)'}\n\`\`\``),
  }
}
