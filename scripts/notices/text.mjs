// How notices read: a list of the works, then each licence once, with all works under it.

const RULE = '-'.repeat(80)

const listed = ({ name, version, license, source, note }) =>
  [`- ${name} ${version} (${license})`, source, ...(note ? note.split('\n') : [])].join('\n  ')

/** Licence texts, each with the works under it; the same text of several works is given once. */
const licenseTexts = (works) => {
  const byText = new Map()
  for (const { name, version, texts } of works)
    for (const { text, copyright } of texts) {
      const key = text.replace(/\s+/g, ' ')
      const entry = byText.get(key) ?? { text, owners: [] }
      entry.owners.push([`${name} ${version}`, ...copyright].join('\n  '))
      byText.set(key, entry)
    }
  return [...byText.values()].map(({ text, owners }) => `${RULE}\n\n${owners.join('\n')}\n\n${text}\n`)
}

/** The notices of something that carries works of others: `sections` have a title and works. */
export const noticesText = (name, sections) => {
  const filled = sections.filter(({ works }) => works.length > 0)
  const lists = filled.map(({ title, works }) => `${title}\n\n${works.map(listed).join('\n')}\n`)
  const works = filled.flatMap((section) => section.works)
  return `Third-party notices of ${name}

vid itself is licensed under the MIT licence. The works below are not: each is under its own licence.

${lists.join('\n')}
${licenseTexts(works).join('\n')}`
}
