/** What the page says about its film. */
export interface FilmProps {
  readonly src: string
  readonly title: string
  readonly hasControls: boolean
  readonly isLoud: boolean
}
