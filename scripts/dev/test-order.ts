import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests in a random order, the same in every run so that a failure can be repeated; VID_TEST_SEED gives another one, and
 * `npm run lab -- chance` many.
 */
export const testOrder = { shuffle: true, seed: Number(process.env.VID_TEST_SEED) || 1 }

/**
 * Orders files by the seed: none may depend on one before it. Those of a project stay together, because the next project
 * has processes of its own, which load everything again.
 */
export class SeededFiles extends BaseSequencer {
  /** Lower ones start first, whatever the seed. */
  protected rankOf(_file: TestSpecification): number {
    return 0
  }

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    const keyOf = (file: TestSpecification) => {
      const { name, config } = file.project
      const place = file.moduleId.slice(root.length)
      const chance = createHash('sha256').update(`${sequence.seed} ${place}`).digest('hex')
      return [config.sequence.groupOrder, name, this.rankOf(file), chance].join(' ')
    }
    const keys = new Map(files.map((file) => [file, keyOf(file)]))
    return [...files].sort((one, other) => ((keys.get(one) ?? '') < (keys.get(other) ?? '') ? -1 : 1))
  }
}
