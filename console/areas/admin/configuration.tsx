import { adminConfiguration, type ConfiguredPart } from '../../../shared/contract/operations.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'

const texts = admin.configuration

/** The optional parts of the server: whether each is configured, and how to do so. */
export const ConfigurationPage = () => {
  const configuration = useApi(adminConfiguration, {})
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={configuration}>
        {({ parts }) => (
          <ul className="list">
            {parts.map((part) => (
              <PartItem key={part.part} {...part} />
            ))}
          </ul>
        )}
      </Loaded>
    </Page>
  )
}

const PartItem = ({ part, configured, providers }: ConfiguredPart) => {
  const { name, off, variables, guide } = texts.parts[part]
  return (
    <li className="stack-tight">
      <div className="row">
        <strong>{name}</strong>
        <span className={configured ? 'badge good' : 'badge'}>
          {configured ? texts.configured : texts.notConfigured}
        </span>
      </div>
      {configured ? providers.length > 0 && <p>{providers.join(', ')}</p> : <p>{off}</p>}
      <p className="quiet small">
        {texts.variables}: <span className="mono">{variables.join(', ')}</span>
      </p>
      <p className="quiet small">
        {texts.guide}: <span className="mono">{guide}</span>
      </p>
    </li>
  )
}
