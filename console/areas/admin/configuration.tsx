import { adminConfiguration } from '../../../shared/contract/operations.ts'
import type { ConfiguredPart } from '../../../shared/schemas/operations.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'

const texts = admin.configuration

/** The optional parts of the server: whether each is configured, and how to do so. */
export const ConfigurationPage = () => {
  const configuration = useApi(adminConfiguration, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={configuration}>{({ parts }) => <PartTable parts={parts} />}</Loaded>
    </Page>
  )
}

const PartTable = ({ parts }: { parts: readonly ConfiguredPart[] }) => (
  <ScrollRegion label={texts.title}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{texts.part}</th>
          <th scope="col">{texts.state}</th>
          <th scope="col">{texts.variables}</th>
          <th scope="col">{texts.guide}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((part) => (
          <PartRow key={part.part} {...part} />
        ))}
      </tbody>
    </table>
  </ScrollRegion>
)

const PartRow = ({ part, configured, providers }: ConfiguredPart) => {
  const { name, off, variables, guide } = texts.parts[part]
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="wide-cell">
        <span className={configured ? 'badge good' : 'badge'}>
          {configured ? texts.configured : texts.notConfigured}
        </span>
        <div className="quiet small">{configured ? providers.join(', ') : off}</div>
      </td>
      <td>
        <ul className="plain mono small">
          {variables.map((variable) => (
            <li key={variable}>{variable}</li>
          ))}
        </ul>
      </td>
      <td className="mono small nowrap">{guide}</td>
    </tr>
  )
}
