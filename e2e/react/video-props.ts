/** What the page says about its composition. */
export interface VideoProps {
  readonly src: string
  readonly title: string
  readonly hasControls: boolean
  readonly isLoud: boolean
}
