import { Link } from '@tanstack/react-router'
import { getUsage } from '../../../shared/contract/billing.ts'
import { METRICS } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { home } from '../../texts/home.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Meter, shareOf } from '../../ui/meter.tsx'

const texts = home.month
const amounts = billing.usage

export const Month = () => {
  const usage = useApi(getUsage, {})
  return (
    <section className="card stack-small" aria-labelledby="month">
      <div className="row spread">
        <h2 id="month">{texts.title}</h2>
        <Link to="/usage">{texts.link}</Link>
      </div>
      <Loaded query={usage} lines={2}>
        {({ usage }) =>
          METRICS.map((metric) => {
            const { used, limit } = usage[metric]
            return (
              <Meter
                key={metric}
                label={amounts.metrics[metric]}
                value={limit === null ? amounts.noLimit(used) : amounts.ofLimit(used, limit)}
                share={shareOf(used, limit)}
              />
            )
          })
        }
      </Loaded>
    </section>
  )
}
