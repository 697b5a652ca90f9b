// One portable step in a process of its own: plan PROJECT PLAN | segment PROJECT PLAN INDEX FILE | join PROJECT PLAN FILE PARTS…
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { checkRequest } from '@vid/protocol'
import { openContext, prepareRender } from '@vid/render'

const [step, projectDir, planFile, ...rest] = process.argv.slice(2)
const context = await openContext({ cwd: projectDir, env: {} })
const { kernel, config } = await prepareRender({ projectDir, output: 'unused.mp4' }, context)
const run = await kernel.open({ projectDir })
const readPlan = async () => JSON.parse(await readFile(planFile, 'utf8'))
try {
  if (step === 'plan') {
    const plan = await run.plan(checkRequest({ ...config.render, projectDir, output: 'unused.mp4' }))
    await writeFile(planFile, JSON.stringify(plan))
  } else if (step === 'segment') {
    const [index, file] = rest
    await copyFile((await run.renderSegment(await readPlan(), Number(index))).file, file)
  } else {
    const [file, ...parts] = rest
    await copyFile(
      (
        await run.join(
          await readPlan(),
          parts.map((part) => ({ file: part })),
        )
      ).path,
      file,
    )
  }
} catch (error) {
  console.error(error.code, error.message)
  process.exitCode = 1
} finally {
  await run.close()
}
